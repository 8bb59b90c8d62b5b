//! What every proxy must do.

mod connections;
mod counting;
mod describing;
mod outages;

pub(crate) use connections::keeps_its_connections;
pub(crate) use counting::{
    believes_a_load_balancer_and_not_its_clients, believes_nothing_that_clients_say_of_themselves,
    denies_the_eleventh_until_retry_after,
};
pub(crate) use describing::{
    passes_bodies_whole, policies_see_each_spelling_of_a_path, policies_see_method_host_and_fields,
};
pub(crate) use outages::{
    a_denial_without_the_store_is_a_denial, each_location_is_open_or_closed_while_nobody_answers,
};
