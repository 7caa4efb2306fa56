//! `hermes init`: what it writes from answers in the shapes of real APIs (`init/written`), how it takes
//! curl commands and keeps secrets (`init/curl`), what it says where there is no data (`init/refused`).

mod curl;
mod refused;
mod written;
