//! What the command line asks for.

use stiction::step::EventLevel;

/// Who runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    All,
    OwnOnly,
    PeersOnly,
}

/// Choices of a run.
#[derive(Debug)]
pub struct Asked {
    /// Names of scenes; all when empty.
    pub scenes: Vec<String>,
    /// CPU time after which a row is cut short, s.
    pub limit: f64,
    pub steps: Option<usize>,
    pub sizes: Option<Vec<usize>>,
    pub events: Option<EventLevel>,
    pub who: Who,
    pub long: bool,
    /// Every step is computed, also of what rests.
    pub watched: bool,
}

impl Asked {
    /// Reads the arguments of the program, those that cargo adds passed over.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_arguments() -> Result<Self, String> {
        let mut asked = Self {
            scenes: vec![],
            limit: 20.0,
            steps: None,
            sizes: None,
            events: None,
            who: Who::All,
            long: false,
            watched: false,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                asked.scenes.push(word);
                continue;
            }
            if word == "--bench" {
                continue;
            }
            if word == "--long" {
                asked.long = true;
                continue;
            }
            if word == "--watched" {
                asked.watched = true;
                continue;
            }
            let value = words.next().ok_or(format!("{word} needs a value"))?;
            let wrong = || format!("{word} {value}: not understood");
            match word.as_str() {
                "--limit" => asked.limit = value.parse().map_err(|_| wrong())?,
                "--steps" => asked.steps = Some(value.parse().map_err(|_| wrong())?),
                "--sizes" => {
                    let sizes: Result<_, _> = value.split(',').map(str::parse).collect();
                    asked.sizes = Some(sizes.map_err(|_| wrong())?);
                }
                "--events" => {
                    asked.events = Some(match value.as_str() {
                        "all" => EventLevel::All,
                        "collisions" => EventLevel::Collisions,
                        "none" => EventLevel::None,
                        _ => return Err(wrong()),
                    });
                }
                "--peers" => {
                    asked.who = match value.as_str() {
                        "no" => Who::OwnOnly,
                        "only" => Who::PeersOnly,
                        "yes" => Who::All,
                        _ => return Err(wrong()),
                    };
                }
                _ => return Err(wrong()),
            }
        }
        Ok(asked)
    }
}
