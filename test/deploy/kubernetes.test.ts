import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../e2e/documents-run/blocks.js';
import { expectPrinted, runShell } from '../e2e/documents-run/shell.js';
import { launchChromium } from '../harness/chromium.js';
import { serviceNames } from '../harness/system.js';
import { until } from '../harness/until.js';
import { askForMissing, moderate, restoreRevision } from './kubernetes/desk-walk.js';
import { backUp, restore, statusInPod } from './kubernetes/jobs.js';
import { type Forward, pause } from './kubernetes/kubectl.js';
import { type Acknowledged, type LoadReport, sendRequest, startLoad } from './kubernetes/load.js';
import { callsByPod, evict, findPrimaryPod, podsOf, untilTerminated } from './kubernetes/pods.js';
import { importSample, issueTokens } from './kubernetes/seed.js';
import { openStaffBrowser } from './kubernetes/staff-browser.js';
import { connectionAgeSeconds, deployments, printDuration, startTrial, type Trial } from './kubernetes/trial.js';

/** The number of requests per second during each fault. */
const rate = Number(process.env['TRIAL_RATE'] ?? 50);
const minutes = 60_000;

let trial: Trial;
let kubectl: Trial['cluster']['kubectl'];
const forwards: Forward[] = [];
const slugs: string[] = [];
const tokens: string[] = [];
const acknowledged: Acknowledged[] = [];
const summary: string[] = [];

beforeAll(async () => {
  trial = await startTrial();
  kubectl = trial.cluster.kubectl;
}, 40 * minutes);
afterAll(async () => {
  process.stderr.write(`\n${summary.map((line) => `  ${line}\n`).join('')}\n`);
  for (const forward of forwards) await forward.close();
  if (process.env['TRIAL_KEEP'] === undefined) await trial?.remove();
}, 10 * minutes);

const folder = ownFolder();

describe('the README on the cluster', () => {
  test(
    'the desk imports the sample content, and every line of the tours works',
    async () => {
      const { cluster } = trial;
      const open = async (target: string, port: number, local?: number): Promise<string> => {
        const forward = await cluster.forward(target, port, local);
        forwards.push(forward);
        return forward.address;
      };
      await open('service/gateway', 80, trial.publicPort);
      const mailbox = await open('service/mailbox', 8025);
      const ports = { content: 50051, quota: 50052, identity: 50053, contributions: 50054 };
      const grpc = Object.fromEntries(
        await Promise.all(serviceNames.map(async (name) => [name, await open(`service/${name}`, ports[name])])),
      );
      await printDuration('sample content', async () => void slugs.push(...(await importSample(grpc))));
      const run = { gateway: trial.publicUrl, grpc, mongodb: '', mailbox: `http://${mailbox}`, pids: {} };
      writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
      const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: folder };
      const [, ...tours] = blocksOf('README.md');
      const ran = await printDuration('the tours', () => runShell(tours, trial.publicUrl, env));
      expect(ran.length).toBeGreaterThan(25);
      expectPrinted(ran);
      note(`${ran.length} lines of the README answered`);
      await printDuration(
        'tokens for contributors',
        async () => void tokens.push(...(await issueTokens(grpc['identity'] ?? '', 150))),
      );
      for (const forward of forwards.splice(0)) await forward.close();
      expect(await statusInPod(cluster)).toMatch(/contributions +ready/);
    },
    10 * minutes,
  );
});

describe('the web desk', () => {
  const ports: Forward[] = [];
  beforeAll(async () => {
    ports.push(await trial.cluster.forward('service/web-desk', 80, trial.deskPort));
    ports.push(await trial.cluster.forward('service/oidc-provider', 8090, trial.providerPort));
  });
  afterAll(async () => {
    for (const port of ports) await port.close();
  });

  test.each([
    ['mona', 'Mona Moderator', 'moderator'],
    ['ada', 'Ada Administrator', 'administrator'],
  ])(
    '%s signs in at the OpenID provider, and the start page shows her role',
    async (id, name, role) => {
      const browser = openStaffBrowser();
      const choice = await browser.get(`http://localhost:${trial.deskPort}/sign-in/start`);
      expect(choice.html).toContain(name);
      const { status, url, html } = await browser.post(`${choice.url}/${id}`);
      expect([status, url]).toEqual([200, `http://localhost:${trial.deskPort}/`]);
      expect(html).toContain(name);
      expect(html).toMatch(new RegExp(`Your role.*${role}`, 's'));
      expect(html.includes('href="/admin"')).toBe(role === 'administrator');
    },
    2 * minutes,
  );

  test(
    'an administrator moderates by keyboard in Chromium, puts a revision back, and makes a prompt of a gap',
    async () => {
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await page.goto(`http://localhost:${trial.deskPort}/sign-in/start`);
        await page.getByRole('button', { name: 'Ada Administrator' }).click();
        await page.getByRole('link', { name: 'Queue' }).first().waitFor();
        const walk = { page, gateway: trial.gateway, token: tokens.shift() ?? '' };
        await printDuration('moderating', () => moderate(walk));
        await printDuration('restoring', () => restoreRevision(walk, slugs[0] ?? ''));
        await printDuration('a gap', () => askForMissing(walk));
      } finally {
        await browser.close();
      }
    },
    5 * minutes,
  );
});

describe(`upgrades at ${rate} requests a second, of which no caller repeats any`, () => {
  // Every process was just installed. What an upgrade does is seen on a system that has served for a while.
  beforeAll(async () => void (await underLoad('warm up', () => pause(20_000))), 2 * minutes);

  test.each(deployments)(
    'every replica of %s is replaced, and no request fails',
    async (name) => {
      const report = await underLoad(`roll ${name}`, async () => {
        await kubectl(['rollout', 'restart', `deployment/${name}`]);
        await trial.rolledOut(name);
        await untilTerminated(trial.cluster, name);
      });
      expect(report.failures).toEqual([]);
      expect(report.acknowledged.length).toBeGreaterThan(report.seconds * rate * 0.05);
    },
    10 * minutes,
  );

  test(
    'an eviction waits for the other replica, and no request fails',
    async () => {
      const report = await underLoad('drain', async () => {
        for (const name of deployments) {
          const [first = '', second = ''] = await podsOf(trial.cluster, name);
          await evict(trial.cluster, first);
          await expect(evict(trial.cluster, second), name).rejects.toThrow(/disruption budget/);
          await untilTerminated(trial.cluster, name);
          await trial.rolledOut(name);
        }
      });
      expect(report.failures).toEqual([]);
    },
    10 * minutes,
  );
});

describe('faults under writes', () => {
  test.each([...deployments, 'mongodb'] as const)(
    'a killed pod of %s loses no acknowledged write, and everything recovers',
    async (name) => {
      const victim =
        name === 'mongodb' ? await findPrimaryPod(trial.cluster) : ((await podsOf(trial.cluster, name))[0] ?? '');
      let killedAt = 0;
      const began = performance.now();
      const report = await underLoad(`kill ${victim}`, async () => {
        await pause(3_000);
        killedAt = (performance.now() - began) / 1000;
        await kubectl(['delete', 'pod', victim, '--force', '--grace-period=0']);
        await pause(20_000);
        if (name === 'mongodb') await kubectl(['rollout', 'status', 'statefulset/mongodb', '--timeout=300s']);
        else await trial.rolledOut(name);
        await pause(5_000);
      });
      // Each failed request got a proper error or lost its connection.
      const results = report.failures.map(({ result }) => result);
      expect(
        results.filter((result) => ![503, 'ECONNRESET', 'ECONNREFUSED', 'TIMEOUT'].includes(result as never)),
      ).toEqual([]);
      const last = report.failures.at(-1)?.at ?? 0;
      note(`  the last failure came ${Math.max(0, last - killedAt).toFixed(1)} s after the kill`);
      expect(last - killedAt).toBeLessThan(20);
      expect(report.acknowledged.length).toBeGreaterThan(report.seconds * rate * 0.05);
    },
    10 * minutes,
  );

  test('every contribution that was acknowledged in all these tests exists once', async () => {
    expect(acknowledged.length).toBeGreaterThan(100);
    await expectAll(acknowledged);
  }, 300_000);
});

describe('disaster', () => {
  test('after a backup under load, deletion and restore, everything acknowledged before it is there', async () => {
    const { cluster } = trial;
    const before = [...acknowledged];
    let backup = '';
    await underLoad('back up', async () => {
      backup = await backUp(cluster);
      await pause(3_000);
    });
    await printDuration('stopping the services', async () => {
      for (const name of deployments) await kubectl(['scale', `deployment/${name}`, '--replicas=0']);
      for (const name of deployments) await untilTerminated(cluster, name);
    });
    await printDuration('deleting and restoring the databases', () => restore(cluster, backup));
    await printDuration('starting the services', async () => {
      for (const name of deployments) await kubectl(['scale', `deployment/${name}`, '--replicas=2']);
      for (const name of deployments) await trial.rolledOut(name);
    });
    await expectAll(before);
    const report = await underLoad('after the restoration', () => pause(5_000));
    expect(report.failures).toEqual([]);
  }, 600_000);
});

describe('growth', () => {
  test.each([2, 3])(
    'all %i replicas of each service share the work',
    async (replicas) => {
      await printDuration(`${replicas} replicas of everything`, async () => {
        for (const name of deployments) await kubectl(['scale', `deployment/${name}`, `--replicas=${replicas}`]);
        for (const name of deployments) await trial.rolledOut(name);
      });
      // A caller finds a new replica when an old connection reaches its maximum age.
      await pause(connectionAgeSeconds * 1_300);
      const before = await callsByPod(trial.cluster);
      const report = await underLoad(`spread over ${replicas}`, () => pause(15_000), true);
      expect(report.failures).toEqual([]);
      const after = await callsByPod(trial.cluster);
      for (const name of deployments) {
        const counts = [...(after.get(name) ?? [])].map(([pod, calls]) => calls - (before.get(name)?.get(pod) ?? 0));
        note(`  ${name}: ${counts.join(', ')} calls`);
        expect(counts, name).toHaveLength(replicas);
        const all = counts.reduce((sum, each) => sum + each, 0);
        expect(Math.min(...counts) / all, `${name}: ${counts}`).toBeGreaterThan(0.4 / replicas);
      }
    },
    10 * minutes,
  );

  test(
    '50 parallel reads of one reader over three gateways are granted exactly three times',
    async () => {
      const wrong: number[] = [];
      for (let subject = 0; subject < 20; subject += 1) {
        const headers = { 'x-agent-client-id': `parallel-${randomUUID()}` };
        const url = `${trial.gateway}/api/v1/content/${slugs[0]}?site=org`;
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => sendRequest(url, headers, undefined, false)),
        );
        const granted = answers.filter(({ status }) => status === 200).length;
        const refused = answers.filter(({ status }) => status === 429).length;
        if (granted !== 3 || refused !== 47) wrong.push(granted);
      }
      note(`20 readers × 50 parallel reads: ${20 - wrong.length} were granted exactly 3`);
      expect(wrong).toEqual([]);
    },
    5 * minutes,
  );

  test(
    'the autoscaler adds gateways under load',
    async () => {
      await kubectl(['scale', 'deployment/gateway', '--replicas=2']);
      await trial.rolledOut('gateway');
      await trial.autoscale();
      let stopping = false;
      const ask = async (): Promise<void> => {
        while (!stopping)
          await sendRequest(`${trial.gateway}/api/v1/content?site=org`, {}, undefined, false).catch(() => undefined);
      };
      const asking = Array.from({ length: 16 }, ask);
      const began = performance.now();
      try {
        await until(
          'a third gateway that is ready',
          async () => (await trial.cluster.get('deployment', 'gateway')).status.readyReplicas >= 3,
          4 * minutes,
          2_000,
        );
      } finally {
        stopping = true;
        await Promise.all(asking);
      }
      note(`autoscaler: a third gateway was ready after ${((performance.now() - began) / 1000).toFixed(0)} s`);
    },
    6 * minutes,
  );
});

/** Checks that every acknowledged contribution exists exactly once. */
async function expectAll(promised: readonly Acknowledged[]): Promise<void> {
  expect(new Set(promised.map(({ id }) => id)).size).toBe(promised.length);
  const lost: string[] = [];
  const looking = [...promised];
  const look = async (): Promise<void> => {
    for (let each = looking.pop(); each !== undefined; each = looking.pop()) {
      const url = `${trial.gateway}/api/v1/contributions/${each.id}`;
      const { status } = await sendRequest(url, { authorization: `Bearer ${each.token}` }, undefined, false);
      if (status !== 200) lost.push(`${each.id}: ${status}`);
    }
  };
  await Promise.all([look(), look(), look(), look()]);
  note(`${promised.length} contributions acknowledged, ${lost.length} lost`);
  expect(lost).toEqual([]);
}

/** Prints a measured value now, and again at the end. */
function note(line: string): void {
  summary.push(line);
  process.stderr.write(`       ${line}\n`);
}

async function underLoad(what: string, act: () => Promise<void>, fresh = false): Promise<LoadReport> {
  const load = startLoad({ base: trial.gateway, slugs, tokens, rate, fresh });
  try {
    await printDuration(what, act);
  } finally {
    const { requests, seconds, failures, p50, p99, max } = await load.stop().then((report) => {
      acknowledged.push(...report.acknowledged);
      last = report;
      return report;
    });
    note(
      `${what}: ${requests} requests in ${seconds} s, ${failures.length} failed; p50 ${p50}, p99 ${p99}, max ${max} ms`,
    );
    for (const { what, result, message, at } of failures.slice(0, 5))
      note(`  ${result} for ${what} after ${at} s ${message}`);
  }
  return last;
}

let last: LoadReport;
