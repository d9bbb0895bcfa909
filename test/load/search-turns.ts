import { type Agent, get, Agent as HttpAgent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { onSampleSystem } from '../search/sample-system.js';
import { quantile, readOptions } from './benchmark.js';

const help = `Measures how long a search waits beside a network that searches as fast as it can (Linux).

  npm run bench:search-turns -- [--url URL] [--connections 0,20,120] [--searches 40]

One address sends questions of 30 misspelled words over all its connections; another network asks five times a second.
--url asks a running system, in place of starting one with the sample content.`;

const values = readOptions(
  help,
  {
    connections: '0,20,120',
    searches: '40',
  },
  ['url'],
);

/** Every address of 127.0.0.0/8 is this machine, and each /24 of it a network. */
const rude = '127.0.0.1';
const other = '127.0.1.1';

let asked = 0;
function question(): string {
  asked += 1;
  const misspelled = words.map((word, at) => {
    const lost = (asked + at) % (word.length - 1);
    return word.slice(0, lost) + word.slice(lost + 1);
  });
  return `${misspelled.join(' ')} ${asked}`;
}

const words = Array.from({ length: 3 }, () => [
  ...['migration', 'identity', 'rollout', 'supplier', 'monitoring', 'incident', 'database', 'certificate'],
  ...['onboarding', 'deployment'],
]).flat();

/** Sends a search that no cache has, and returns its status and its time. */
function search(base: string, localAddress: string, agent: Agent, q: string): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const url = `${base}/api/v1/search?site=org&limit=1&q=${encodeURIComponent(q)}`;
    get(url, { localAddress, agent }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - begun }));
    }).on('error', reject);
  });
}

async function measure(base: string, connections: number): Promise<void> {
  const [theirs, mine] = [new HttpAgent({ keepAlive: true }), new HttpAgent({ keepAlive: true })];
  let running = true;
  const counts = new Map<number, number>();
  const loops = Array.from({ length: connections }, async () => {
    while (running) {
      const { status } = await search(base, rude, theirs, question());
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  });
  await setTimeout(2_000);
  const answers: { status: number; ms: number }[] = [];
  for (let at = 0; at < Number(values.searches); at += 1) {
    asked += 1;
    answers.push(await search(base, other, mine, `how did others roll out single sign-on ${asked}`));
    await setTimeout(200);
  }
  running = false;
  await Promise.all(loops);
  for (const agent of [theirs, mine]) agent.destroy();
  const times = answers.map(({ ms }) => ms);
  const at = (share: number): string => `${Math.round(quantile(times, share))} ms`;
  const failed = answers.filter(({ status }) => status !== 200).length;
  const sent = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ') || 'nothing';
  console.log(
    `beside ${connections} connections (${sent}): median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}, ${failed} failed`,
  );
}

async function measureAll(base: string): Promise<void> {
  for (const each of values.connections.split(',').map(Number)) await measure(base, each);
}

if (values.url !== undefined) await measureAll(values.url);
else await onSampleSystem(({ url }) => measureAll(url));
