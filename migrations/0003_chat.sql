-- Keys, usage and budgets of the chat service. A key is identified by the start
-- of its hash. Keys of the config file have usage, but no row in gen_chat_keys.

CREATE TABLE gen_chat_keys (
  id text COLLATE "C" PRIMARY KEY,
  hash text NOT NULL,
  name text NOT NULL,
  owner text COLLATE "C" NOT NULL,
  models text[],
  limits json NOT NULL,
  budgets json NOT NULL,
  created timestamptz NOT NULL,
  expires timestamptz,
  revoked timestamptz,
  other json
);
CREATE INDEX gen_chat_keys_by_owner ON gen_chat_keys (owner, id);

-- Totals of a key in its last day and month with usage, in UTC. Budgets are
-- compared with them.
CREATE TABLE gen_chat_key_uses (
  id text COLLATE "C" PRIMARY KEY,
  last_used timestamptz NOT NULL,
  day text COLLATE "C" NOT NULL,
  day_tokens bigint NOT NULL,
  month text COLLATE "C" NOT NULL,
  month_tokens bigint NOT NULL,
  other json
);

-- Usage per day in UTC (YYYY-MM-DD), key and model. Tokens of estimated requests
-- were counted from the lengths of their texts.
CREATE TABLE gen_chat_usage (
  day text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  name text NOT NULL,
  owner text NOT NULL,
  requests bigint NOT NULL,
  estimated_requests bigint NOT NULL,
  prompt_tokens bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  other json,
  PRIMARY KEY (day, key, model)
);
