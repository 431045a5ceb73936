-- Suspended owners, expiry and last use of keys, and requests that recorded a
-- sale: a request that is repeated finds its purchase by the key of the request.
ALTER TABLE gen_owners ADD COLUMN suspended_at timestamptz;
ALTER TABLE gen_keys ADD COLUMN expires_at timestamptz;

-- The last use is not a column of gen_keys, so that it is written without
-- conflicts with changes of keys.
CREATE TABLE gen_key_uses (
  id text COLLATE "C" PRIMARY KEY
    REFERENCES gen_keys ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  last_used_at timestamptz NOT NULL,
  other json
);

ALTER TABLE gen_purchases
  ADD COLUMN request_id text COLLATE "C",
  ADD COLUMN request_hash text;
CREATE UNIQUE INDEX gen_purchases_by_request ON gen_purchases (owner, request_id)
  WHERE request_id IS NOT NULL;
CREATE VIEW gen_sales AS
  SELECT owner, request_id, code FROM gen_purchases WHERE request_id IS NOT NULL;
