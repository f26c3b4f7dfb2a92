//! How a model is asked, on a host that answers badly.

use super::*;

struct Host;

impl Model for Host {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
    }
    fn mass(&self, t: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        // Only the nonzeros are written: what was there before must be gone.
        if t > 0.0 {
            mass[0] = 1.0;
        }
        Ok(())
    }
    fn force(&self, t: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = f64::NAN;
        if t < 0.0 { Err(Refusal::Stop(-7)) } else { Ok(()) }
    }
    fn gap(&self, _: f64, _: &[f64], _: &mut [f64], _: &mut [f64]) -> Answer {
        Err(Refusal::Point(3))
    }
}

#[test]
fn outputs_are_cleared_and_refusals_name_the_question() {
    let mut asked = Checked::new(&Host);
    let mut x = [5.0];
    asked.mass(0.0, &[0.0], &mut x).unwrap();
    assert_eq!(x, [0.0]);
    let e = asked.force(0.0, &[0.0], &[0.0], &mut x).unwrap_err();
    assert_eq!(e.to_string(), "force[0] is NaN");
    let e = asked.force(-1.0, &[0.0], &[0.0], &mut x).unwrap_err();
    assert_eq!(e, Error::Callback { what: "force", code: -7 });
    let e = asked.gap(0.0, &[0.0], &mut x, &mut [0.0]).unwrap_err();
    assert_eq!(e, Error::Rejected { what: "gap", code: 3 });
    assert_eq!(asked.force_evals, 2);
}
