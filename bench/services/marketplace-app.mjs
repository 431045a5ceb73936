// Hand-written validation of purchases: Fastify, pg and one prepared join. It
// checks the same things as the service and sends the same response.
// Usage: node bench/services/marketplace-app.mjs <URL of the database>
import { createHash, timingSafeEqual } from "node:crypto";
import Fastify from "fastify";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.argv[2], max: 8 });
const app = Fastify();
const schema = {
  querystring: {
    type: "object",
    required: ["api_key", "purchase_code"],
    properties: {
      api_key: { type: "string", minLength: 1 },
      purchase_code: { type: "string", minLength: 1 },
    },
  },
};
const statement = {
  name: "validation",
  text: `SELECT k.hash, p.code, p.license_type, p.price AS paid, p.currency AS paid_currency,
      p.supported_until, p.is_downloaded, p.date, i.*
    FROM gen_keys k
    JOIN gen_owners o ON o.username = k.owner AND o.suspended_at IS NULL
    JOIN gen_purchases p ON p.owner = k.owner AND p.code = $2
    JOIN gen_items i ON i.owner = p.owner AND i.id = p.item_id
    WHERE k.id = $1 AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

app.post("/api/purchases/validation", { schema }, async (request, reply) => {
  const { api_key, purchase_code } = request.query;
  const hash = createHash("sha256").update(api_key).digest("hex");
  const values = [hash.slice(0, 16), purchase_code];
  const { rows } = await pool.query({ ...statement, values });
  const row = rows[0];
  reply.header("cache-control", "no-store");
  if (!row || !timingSafeEqual(Buffer.from(hash), Buffer.from(row.hash)))
    return reply.code(404).send({ status: "error", msg: "Not found" });
  return {
    status: "success",
    data: {
      purchase: {
        purchase_code: row.code,
        license_type: row.license_type,
        price: row.paid,
        currency: row.paid_currency,
        item: {
          id: Number(row.id),
          name: row.name,
          description: row.description,
          category: row.category,
          sub_category: row.sub_category,
          options: row.options,
          version: row.version,
          demo_link: row.demo_link,
          tags: row.tags,
          media: {
            thumbnail: row.thumbnail,
            preview_image: row.preview_image ?? undefined,
            screenshots: row.screenshots,
          },
          price: { regular: row.regular_price, extended: row.extended_price },
          currency: row.currency,
          published_at: row.published_at,
        },
        supported_until: row.supported_until ?? undefined,
        downloaded: row.is_downloaded,
        date: row.date,
      },
    },
  };
});
console.log(`listening on ${await app.listen({ port: 0, host: "127.0.0.1" })}`);
