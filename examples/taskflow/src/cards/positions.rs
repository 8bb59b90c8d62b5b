//! The places of cards in their columns: dense, 0 to n − 1 from the top.
//!
//! Everything here runs inside a [`BoardWrite`](crate::boards::BoardWrite), which
//! keeps other writers of the board out, so that what was counted stays true.

use sqlx::AnyConnection;

use crate::boards::CardView;
use crate::error::AppError;

/// Whether the column is on this board.
pub(super) async fn column_exists(
    connection: &mut AnyConnection,
    board_id: i64,
    column_id: i64,
) -> Result<bool, AppError> {
    let column: Option<i64> =
        sqlx::query_scalar("SELECT id FROM board_columns WHERE id = $1 AND board_id = $2")
            .bind(column_id)
            .bind(board_id)
            .fetch_optional(connection)
            .await?;
    Ok(column.is_some())
}

/// How many cards the column holds, which is the position of the next one.
pub(super) async fn count(connection: &mut AnyConnection, column_id: i64) -> Result<i64, AppError> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM cards WHERE column_id = $1")
        .bind(column_id)
        .fetch_one(connection)
        .await?;
    Ok(count)
}

/// Moves every card below `position` one up.
pub(super) async fn close_gap(
    connection: &mut AnyConnection,
    column_id: i64,
    position: i64,
) -> Result<(), AppError> {
    sqlx::query("UPDATE cards SET position = position - 1 WHERE column_id = $1 AND position > $2")
        .bind(column_id)
        .bind(position)
        .execute(connection)
        .await?;
    Ok(())
}

/// Takes `card` out of its column and puts it into `column_id` at `position`, or
/// at the end if the column is shorter. Changes `card` to say where it is now.
pub(super) async fn move_card(
    connection: &mut AnyConnection,
    card: &mut CardView,
    column_id: i64,
    position: i64,
) -> Result<(), AppError> {
    let others = count(connection, column_id).await? - i64::from(column_id == card.column_id);
    let position = position.min(others);
    close_gap(connection, card.column_id, card.position).await?;
    sqlx::query(
        "UPDATE cards SET position = position + 1
         WHERE column_id = $1 AND position >= $2 AND id <> $3",
    )
    .bind(column_id)
    .bind(position)
    .bind(card.id)
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE cards SET column_id = $1, position = $2, updated_at = $3 WHERE id = $4")
        .bind(column_id)
        .bind(position)
        .bind(card.updated_at)
        .bind(card.id)
        .execute(connection)
        .await?;
    card.column_id = column_id;
    card.position = position;
    Ok(())
}
