import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { type Document, MongoClient, MongoServerError } from 'mongodb';

/**
 * The reference of the benchmark: the same read under quota in one plain process. It uses one conditional
 * `findOneAndUpdate`, one `findOne` and majority writes, and counts exactly under parallel reads.
 * Run: `node reference.js MONGODB_URI DATABASE PORT`.
 */
const [uri = '', database = '', port = '0'] = process.argv.slice(2);
const client = new MongoClient(uri, { writeConcern: { w: 'majority' }, readConcern: { level: 'majority' } });
await client.connect();
const db = client.db(database);
const articles = db.collection<{ _id: string } & Document>('articles');
const quotas = db.collection<{ _id: string; day: string; grants: string[] }>('quotas');
const limit = 3;

const app = fastify();
app.get<{ Params: { slug: string }; Querystring: { site?: string } }>(
  '/api/v1/content/:slug',
  async (request, reply) => {
    const site = request.query.site ?? 'org';
    const clientId = String(request.headers['x-agent-client-id'] ?? request.ip);
    const article = await articles.findOne({ _id: `${site}/${request.params.slug}` });
    if (article === null) return reply.code(404).send({ ok: false, error: 'not_found' });
    const { granted, remaining, reset } = await consume(`c:${clientId}`);
    reply
      .header('x-ratelimit-limit', limit)
      .header('x-ratelimit-remaining', remaining)
      .header('x-ratelimit-reset', reset);
    if (!granted) return reply.code(429).send({ ok: false, error: 'read_quota_exceeded' });
    const { _id, ...fields } = article;
    return reply.header('cache-control', 'private, no-cache').send({ ok: true, site, article: fields });
  },
);

async function consume(subject: string): Promise<{ granted: boolean; remaining: number; reset: number }> {
  const now = new Date();
  const day = now.toISOString().slice(0, 10);
  const id = randomUUID();
  const reset = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) / 1000;
  const before = { $cond: [{ $eq: ['$day', day] }, { $ifNull: ['$grants', []] }, []] };
  const update = [
    { $set: { grants: before, day } },
    {
      $set: {
        grants: { $cond: [{ $lt: [{ $size: '$grants' }, limit] }, { $concatArrays: ['$grants', [id]] }, '$grants'] },
      },
    },
  ];
  for (;;) {
    try {
      const after = await quotas.findOneAndUpdate({ _id: subject }, update, { upsert: true, returnDocument: 'after' });
      const at = after?.grants.indexOf(id) ?? -1;
      return { granted: at >= 0, remaining: at >= 0 ? limit - at - 1 : 0, reset };
    } catch (error) {
      // Two first reads of a subject collided. The document exists now, so the next attempt finds it.
      if (!(error instanceof MongoServerError && error.code === 11000)) throw error;
    }
  }
}

const address = await app.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write(`${address}\n`);
process.once('SIGTERM', () => {
  void app.close().then(() => client.close());
});
