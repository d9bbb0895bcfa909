import fastify from 'fastify';
import { type Document, MongoClient, MongoServerError } from 'mongodb';

/**
 * The plain reference of the benchmark: the same read under quota in one process without any technique. It uses one
 * `findOne`, one conditional `$inc` and majority writes, and counts exactly under parallel reads.
 * Run: `node plain.js MONGODB_URI DATABASE PORT`.
 */
const [uri = '', database = '', port = '0'] = process.argv.slice(2);
const client = new MongoClient(uri, { writeConcern: { w: 'majority' }, readConcern: { level: 'majority' } });
await client.connect();
const db = client.db(database);
const articles = db.collection<{ _id: string } & Document>('articles');
const counters = db.collection<{ _id: string; used: number }>('plain_counters');
const limit = 3;

const app = fastify();
app.get<{ Params: { slug: string }; Querystring: { site?: string } }>(
  '/api/v1/content/:slug',
  async (request, reply) => {
    const site = request.query.site ?? 'org';
    const clientId = String(request.headers['x-agent-client-id'] ?? request.ip);
    const article = await articles.findOne({ _id: `${site}/${request.params.slug}` });
    if (article === null) return reply.code(404).send({ ok: false, error: 'not_found' });
    const { granted, remaining, reset } = await consume(clientId);
    reply
      .header('x-ratelimit-limit', limit)
      .header('x-ratelimit-remaining', remaining)
      .header('x-ratelimit-reset', reset);
    if (!granted) return reply.code(429).send({ ok: false, error: 'read_quota_exceeded' });
    const { _id, ...fields } = article;
    return reply.header('cache-control', 'private, no-cache').send({ ok: true, site, article: fields });
  },
);

async function consume(clientId: string): Promise<{ granted: boolean; remaining: number; reset: number }> {
  const now = new Date();
  const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) / 1000;
  const query = { _id: `${now.toISOString().slice(0, 10)} ${clientId}`, used: { $lt: limit } };
  const increment = (upsert: boolean) =>
    counters.findOneAndUpdate(query, { $inc: { used: 1 } }, { upsert, returnDocument: 'after' });
  // The document exists already: it is used up, or two first reads collided.
  const after = await increment(true).catch((error: unknown) => {
    if (error instanceof MongoServerError && error.code === 11000) return increment(false);
    throw error;
  });
  return { granted: after !== null, remaining: after === null ? 0 : limit - after.used, reset };
}

const address = await app.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write(`${address}\n`);
process.once('SIGTERM', () => {
  void app.close().then(() => client.close());
});
