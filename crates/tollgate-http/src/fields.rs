mod item;
pub(crate) use item::Item;
