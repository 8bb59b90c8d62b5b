//! Who may do what on a board, and the one way to write to it.

use std::sync::Arc;

use sqlx::AnyConnection;

use super::view::cache_key;
use crate::auth::CurrentUser;
use crate::cache::Cache;
use crate::db::WriteTransaction;
use crate::error::AppError;
use crate::state::AppState;

const NO_BOARD: AppError = AppError::NotFound("there is no such board");

/// What a member of a board may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    Owner,
    /// Everything but rename or delete the board and choose its members.
    #[default]
    Member,
}

impl Role {
    /// The role as it is stored and sent.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Member => "member",
        }
    }

    /// The schema stores these two and no others.
    fn from_stored(text: &str) -> Self {
        if text == Self::Owner.as_str() {
            Self::Owner
        } else {
            Self::Member
        }
    }
}

/// The role of a user on a board.
///
/// # Errors
///
/// [`AppError::NotFound`] to everyone who is no member: whether the board exists
/// is not theirs to know.
pub async fn require_member(
    connection: &mut AnyConnection,
    user: CurrentUser,
    board_id: i64,
) -> Result<Role, AppError> {
    let role: Option<String> =
        sqlx::query_scalar("SELECT role FROM board_members WHERE board_id = $1 AND user_id = $2")
            .bind(board_id)
            .bind(user.id)
            .fetch_optional(connection)
            .await?;
    role.as_deref().map(Role::from_stored).ok_or(NO_BOARD)
}

/// A transaction that changes one board, seen by no reader half done.
///
/// It holds the board against every other writer from its first statement on, so
/// that positions can be read and written without a race, and it invalidates the
/// cached board once committed. Dropped without [`commit`](Self::commit), it
/// changes nothing.
#[derive(Debug)]
pub struct BoardWrite {
    transaction: WriteTransaction,
    cache: Arc<dyn Cache>,
    board_id: i64,
    role: Role,
}

impl BoardWrite {
    /// Begins a change that every member may make.
    ///
    /// # Errors
    ///
    /// The caller is no member, or the database fails.
    pub async fn begin(
        state: &AppState,
        user: CurrentUser,
        board_id: i64,
    ) -> Result<Self, AppError> {
        let mut transaction = state.db.begin_write().await?;
        // First the lock, then the look: a member removed while this waits is no member.
        let locked = sqlx::query("UPDATE boards SET version = version + 1 WHERE id = $1")
            .bind(board_id)
            .execute(&mut *transaction)
            .await?;
        if locked.rows_affected() == 0 {
            return Err(NO_BOARD);
        }
        let role = require_member(&mut transaction, user, board_id).await?;
        Ok(Self {
            transaction,
            cache: Arc::clone(&state.cache),
            board_id,
            role,
        })
    }

    /// Begins a change that only an owner may make.
    ///
    /// # Errors
    ///
    /// The caller is no owner, or the database fails.
    pub async fn begin_as_owner(
        state: &AppState,
        user: CurrentUser,
        board_id: i64,
    ) -> Result<Self, AppError> {
        let board = Self::begin(state, user, board_id).await?;
        board.require_owner()?;
        Ok(board)
    }

    /// Refuses a member who is no owner.
    ///
    /// # Errors
    ///
    /// [`AppError::Forbidden`].
    pub const fn require_owner(&self) -> Result<(), AppError> {
        match self.role {
            Role::Owner => Ok(()),
            Role::Member => Err(AppError::Forbidden(
                "only an owner of the board may do this",
            )),
        }
    }

    /// The connection, for the statements of the change.
    pub fn connection(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }

    /// Makes the change stand. When this returns, no read serves the old state, unless the cache
    /// cannot be reached: see [`Cache::invalidate`].
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn commit(self) -> Result<(), AppError> {
        // In a task of its own: a caller that hangs up or times out between the two
        // steps would leave the old board in the cache.
        let steps = tokio::spawn(async move {
            let committed = self.transaction.commit().await;
            // Also after an error, which may mean that only the answer was lost.
            self.cache.invalidate(&cache_key(self.board_id)).await;
            committed
        });
        Ok(steps.await.map_err(AppError::internal)??)
    }
}
