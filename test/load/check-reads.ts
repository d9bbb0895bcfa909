import { randomUUID } from 'node:crypto';

/** Checks a server before it is measured. Three reads must return the article and the fourth a 429. */
export async function checkReads(base: string, slug: string): Promise<void> {
  const reader = randomUUID();
  const read = () => fetch(`${base}/api/v1/content/${slug}?site=org`, { headers: { 'x-agent-client-id': reader } });
  for (const remaining of ['2', '1', '0']) {
    const answer = await read();
    const body = (await answer.json()) as { ok: boolean; article?: { slug: string; body: string } };
    const right = answer.status === 200 && body.article?.slug === slug && body.article.body.length === 4_096;
    if (!right || answer.headers.get('x-ratelimit-remaining') !== remaining) {
      throw new Error(
        `${base} does not answer a read correctly: ${answer.status} ${JSON.stringify(body).slice(0, 200)}`,
      );
    }
  }
  if ((await read()).status !== 429) throw new Error(`${base} grants a fourth read.`);
  const many = await Promise.all(Array.from({ length: 20 }, () => parallelRead(base, slug, reader)));
  if (many.some((status) => status !== 429)) throw new Error(`${base} grants reads beyond the limit in parallel.`);
}

async function parallelRead(base: string, slug: string, reader: string): Promise<number> {
  const answer = await fetch(`${base}/api/v1/content/${slug}?site=org`, { headers: { 'x-agent-client-id': reader } });
  await answer.arrayBuffer();
  return answer.status;
}
