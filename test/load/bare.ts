import fastify from 'fastify';

/** Serves one Fastify route whose response has a given size. Run: `node bare.js BYTES PORT`. */
const [bytes = '1000', port = '0'] = process.argv.slice(2);
const payload = Buffer.from(JSON.stringify({ ok: true, filling: 'x'.repeat(Math.max(0, Number(bytes) - 25)) }));

const app = fastify();
app.get('/bare', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(payload);
});

const address = await app.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write(`${address}\n`);
process.once('SIGTERM', () => void app.close());
