//! Every method there is.

use stiction::step::MethodKind;

pub const METHODS: [MethodKind; 15] = [
    MethodKind::Euler,
    MethodKind::StewartTrinkle,
    MethodKind::ImplicitEuler,
    MethodKind::Trapezoid,
    MethodKind::TrapezoidI,
    MethodKind::TrapezoidII,
    MethodKind::Moreau,
    MethodKind::SchatzmanPaoli,
    MethodKind::LobattoIIIA2,
    MethodKind::LobattoIIIA4,
    MethodKind::LobattoIIIA6,
    MethodKind::RadauIIA3,
    MethodKind::RadauIIA5,
    MethodKind::HalfExplicit2,
    MethodKind::HalfExplicit4,
];
