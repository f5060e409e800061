//! Charts on the server.
