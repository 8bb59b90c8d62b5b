//! Members of a board: add and remove by e-mail address.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{delete, post};
use axum::{Json, Router};
use serde::Deserialize;
use sqlx::AnyConnection;

use crate::auth::CurrentUser;
use crate::boards::{BoardWrite, MemberView, Role};
use crate::error::AppError;
use crate::extract::{self, Path};
use crate::state::AppState;
use crate::validate;

const MEMBERS_MAX: i64 = 100;

/// The routes of a board's members.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/boards/{board_id}/members", post(add))
        .route("/boards/{board_id}/members/{email}", delete(remove))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewMember {
    email: String,
    #[serde(default)]
    role: Role,
}

async fn add(
    State(state): State<AppState>,
    user: CurrentUser,
    Path(board_id): Path<i64>,
    extract::Json(new): extract::Json<NewMember>,
) -> Result<impl IntoResponse, AppError> {
    let mut board = BoardWrite::begin_as_owner(&state, user, board_id).await?;
    let email = validate::email(&new.email)?;
    let (user_id, name): (i64, String) =
        sqlx::query_as("SELECT id, name FROM users WHERE email = $1")
            .bind(&email)
            .fetch_optional(board.connection())
            .await?
            .ok_or(AppError::NotFound("no user has this e-mail address"))?;
    let members: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM board_members WHERE board_id = $1")
        .bind(board_id)
        .fetch_one(board.connection())
        .await?;
    if members >= MEMBERS_MAX {
        return Err(AppError::Conflict(
            "the board has as many members as it can have",
        ));
    }
    sqlx::query("INSERT INTO board_members (board_id, user_id, role) VALUES ($1, $2, $3)")
        .bind(board_id)
        .bind(user_id)
        .bind(new.role.as_str())
        .execute(board.connection())
        .await
        .map_err(|error| AppError::unique(error, "this user is a member already"))?;
    board.commit().await?;
    let role = new.role.as_str().to_owned();
    Ok((
        StatusCode::CREATED,
        Json(MemberView {
            user_id,
            email,
            name,
            role,
        }),
    ))
}

/// An owner removes anyone; everyone may remove themselves.
async fn remove(
    State(state): State<AppState>,
    user: CurrentUser,
    Path((board_id, email)): Path<(i64, String)>,
) -> Result<StatusCode, AppError> {
    let mut board = BoardWrite::begin(&state, user, board_id).await?;
    let member = match validate::email(&email) {
        Ok(email) => find(board.connection(), board_id, &email).await?,
        Err(_) => None,
    };
    if member
        .as_ref()
        .is_none_or(|(user_id, _)| *user_id != user.id)
    {
        board.require_owner()?;
    }
    let (user_id, role) = member.ok_or(AppError::NotFound(
        "no member of the board has this e-mail address",
    ))?;
    if role == Role::Owner.as_str() && owners(board.connection(), board_id).await? == 1 {
        return Err(AppError::Conflict("a board keeps at least one owner"));
    }
    sqlx::query("DELETE FROM board_members WHERE board_id = $1 AND user_id = $2")
        .bind(board_id)
        .bind(user_id)
        .execute(board.connection())
        .await?;
    board.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The id and the role of the member with this address.
async fn find(
    connection: &mut AnyConnection,
    board_id: i64,
    email: &str,
) -> Result<Option<(i64, String)>, AppError> {
    let member = sqlx::query_as(
        "SELECT m.user_id, m.role FROM board_members m JOIN users u ON u.id = m.user_id
         WHERE m.board_id = $1 AND u.email = $2",
    )
    .bind(board_id)
    .bind(email)
    .fetch_optional(connection)
    .await?;
    Ok(member)
}

async fn owners(connection: &mut AnyConnection, board_id: i64) -> Result<i64, AppError> {
    let count = sqlx::query_scalar(
        "SELECT COUNT(*) FROM board_members WHERE board_id = $1 AND role = 'owner'",
    )
    .bind(board_id)
    .fetch_one(connection)
    .await?;
    Ok(count)
}
