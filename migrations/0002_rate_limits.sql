-- Requests of client addresses in the current window, shared by all processes.
-- The columns are those that rate-limiter-flexible expects; "expire" is in
-- milliseconds since 1970 by the clock of the database. Counts may be lost in a
-- crash of the database, so they are not written to its log.
CREATE UNLOGGED TABLE gen_rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX gen_rate_limits_by_expire ON gen_rate_limits (expire);
