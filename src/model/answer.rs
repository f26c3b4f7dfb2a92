//! What a model returns when it is asked. Knows no question.

/// Why a model does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not at this point; a shorter step may avoid it. The number is the host's, positive.
    Point(i32),
    /// Not at all. The number is the host's, negative.
    Stop(i32),
    /// Not yet: the host has been told what is wanted and answers before the next attempt.
    Later,
}

/// What a model returns: the outputs are filled, or they are not and this is why.
pub type Answer = std::result::Result<(), Refusal>;
