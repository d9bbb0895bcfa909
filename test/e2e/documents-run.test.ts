import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunFile } from '@knowledge/local';
import { ownFolder } from '@knowledge/runtime/testing';
import { type CollectionInfo, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldsOf, toldOf } from '../contract/stored-fields.js';
import { type Desk, deskOf } from '../harness/desk.js';
import { call } from '../harness/http.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import { serviceNames } from '../harness/system.js';
import { until } from '../harness/until.js';
import { type Block, blocksOf, root } from './documents-run/blocks.js';
import { provokeFailures } from './documents-run/failures.js';
import { type Examples, readExamples } from './documents-run/openapi-examples.js';
import { type Programs, savePrograms } from './documents-run/programs.js';
import { expectPrinted, type Ran, runShell } from './documents-run/shell.js';
import { codeFor, type Walked, walkExamples } from './documents-run/walk.js';

// All documents run against the same system: the one that `npm start` runs, with the sample content.
const dataDir = ownFolder();
const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: dataDir };
let local: ManagedProcess;
let run: RunFile;
let desk: Desk;

beforeAll(async () => {
  local = await startProcess({
    name: 'npm start',
    command: [process.execPath, join(root, 'deploy/local/bin/start.mjs')],
    env: { HOME: env.HOME, DATA_DIR: dataDir, PORT: '0' },
    ready: async () => {
      const file = () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunFile;
      run = await until('run.json', file, 170_000);
    },
  });
  desk = deskOf({ addresses: run.grpc });
}, 180_000);
afterAll(() => local?.close());

describe('the examples of OpenAPI and /docs', () => {
  let examples: Examples;
  let walked: Walked;

  beforeAll(async () => {
    examples = await readExamples(run.gateway);
    walked = await walkExamples(examples, run, desk);
  }, 60_000);

  test('match the running system, field by field', () => {
    expect(walked.problems).toEqual([]);
    const shown = [...examples.operations.values()].filter(({ answers }) => Object.keys(answers).length > 0);
    expect(shown.length).toBeGreaterThanOrEqual(17);
  });

  test('are commands in /docs that work when pasted', async () => {
    const page = (await call(`${run.gateway}/docs?site=org`)).text;
    const blocks = [...page.matchAll(/<pre class="command"><code>([^<]*)<\/code>/g)].map(([, markup = '']) =>
      plain(markup),
    );
    // Examples with a token or a code are left out here. Another test has run them with real values.
    const open = blocks.filter((command) => !/\$TOKEN|[?/]confirm|device_code/.test(command));
    expect(open.length).toBeGreaterThanOrEqual(12);
    const lines = open.map((command) => ({ language: 'sh', name: '', text: command.replaceAll(' \\\n ', '') }));
    const ran = await runShell(lines, run.gateway, env);
    for (const { command, output } of ran) {
      expect({ command, output }).toMatchObject({ output: expect.stringMatching(/^\{"(?:ok":true|openapi)/) });
    }
  });

  test('have the same failures as the running system', async () => {
    expect(await provokeFailures(examples, walked, desk)).toEqual([]);
  });
});

describe('README.md, line by line', () => {
  let ran: Ran[];
  const outputOf = (part: string) => outputIn(ran, part);

  beforeAll(async () => {
    const [start, ...tours] = blocksOf('README.md');
    // `beforeAll` has already run this block.
    expect(start?.text).toBe('npm start\n');
    expect(scripts()['start']).toBe('exec node deploy/local/bin/start.mjs');
    ran = await runShell(tours, run.gateway, env);
  }, 120_000);

  test('every line does what the document says', () => {
    expect(ran.length).toBeGreaterThan(25);
    expectPrinted(ran);
  });

  test('reading shows titles, links, notes and the quota', () => {
    expect(outputOf('e.title)').match(/'[^']{5,}'|"[^"]{5,}"/g)).toHaveLength(3);
    expect(outputOf('single+sign-on')).toMatch(/'Rolling out single sign-on[^']*',\s+\d+/);
    expect(outputOf('grep -i')).toMatch(/x-ratelimit-remaining/i);
    expect(outputOf('agent/quota')).toMatch(/limit: 3/);
  });

  test('writing leads from the mail to an object that anybody reads', async () => {
    expect(outputOf('show a <<<')).toMatch(/user_code: '[A-Z]{4}-[A-Z]{4}'/);
    expect(outputOf('show a.text')).toContain('README tour');
    expect(outputOf('echo "$LINK"')).toContain(`${run.gateway}/api/v1/agent/authorize/confirm?code=`);
    expect(outputOf('-X POST "$LINK"')).toBe('confirmed');
    expect(outputOf('head -1')).toBe('HTTP/1.1 201 Created');
    const id = /id: '([0-9a-f-]{36})'/.exec(outputOf('show a.object'))?.[1];
    expect(outputOf('review list')).toContain('What our rollout taught us');
    const object = await call(`${run.gateway}/api/v1/objects/${id}`);
    expect(object.json.object).toMatchObject({ kind: 'story', title: 'What our rollout taught us' });
  });

  test('the desk archives and publishes', () => {
    expect(outputOf('knowledge status')).toMatch(/identity/);
    expect(outputOf('article publish')).toMatch(/rolling-out-sso/);
  });
});

test('deploy/local/README.md names every variable of npm start', () => {
  const readme = readFileSync(join(root, 'deploy/local/README.md'), 'utf8');
  const config = readFileSync(join(root, 'deploy/local/src/runner/ports.ts'), 'utf8');
  const variables = [...config.matchAll(/^ {4}([A-Z_]+): /gm)].map(([, name = '']) => name);
  expect(variables.length).toBeGreaterThan(10);
  expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
});

describe('gateway/README.md', () => {
  const blocks = blocksOf('gateway/README.md');
  const ownPrograms = ownFolder();
  let programs: Programs;
  let ran: Ran[];

  beforeAll(async () => {
    [programs, ran] = await Promise.all([savePrograms(blocks, ownPrograms), runShell(blocks, run.gateway, env)]);
  }, 60_000);

  test('every line does what the document says', () => {
    expect(ran.length).toBeGreaterThan(15);
    expectPrinted(ran);
    expect(outputIn(ran, 'echo "Compare')).toMatch(/[A-Z]{4}-[A-Z]{4}$/);
    expect(outputIn(ran, 'Bearer nonsense')).toContain('invalid_token');
  });

  test('configures a client for MCP as the running guide does', async () => {
    const guide = await call(`${run.gateway}/for-agents?site=org`, { headers: { accept: 'text/markdown' } });
    const [, running = ''] = /^```json\n(\{\s+"mcpServers"[\s\S]*?)^```$/m.exec(guide.text) ?? [];
    const shown = blocks.find(({ language }) => language === 'json')?.text ?? '';
    expect(JSON.parse(shown.replace('http://localhost:8080', run.gateway))).toEqual(JSON.parse(running));
    expect(outputIn(ran, 'tools/list')).toContain('read_article');
  });

  test.each(['read.py', 'read.ts'])('%s reads until its quota is used up', async (name) => {
    const lines = (await programs.run(name, { ...env, BASE: run.gateway })).trim().split('\n');
    expect(lines).toHaveLength(4);
    for (const [at, line] of lines.slice(0, 3).entries()) expect(line).toMatch(new RegExp(`^${2 - at} left after \\S`));
    expect(lines[3]).toMatch(/^All 3 article reads of this UTC day are used/);
  });

  test.concurrent.each(['write.py', 'write.ts'])('%s waits for its human and sends an inquiry', async (name) => {
    const agent = name.endsWith('.py') ? 'guide-python' : 'guide-typescript';
    const ending = programs.run(name, { ...env, BASE: run.gateway });
    const code = await codeFor(run, agent);
    await call(`${run.gateway}/api/v1/agent/authorize/confirm?code=${code}`, { method: 'POST' });
    expect(await ending).toMatch(/^Compare in the mail: [A-Z]{4}-[A-Z]{4}\npending_review\n$/);
  });
});

describe('services/README.md', () => {
  test('every line does what the document says', async () => {
    const ran = await runShell(withGrpcurl(blocksOf('services/README.md')), run.gateway, env);
    expect(ran.length).toBeGreaterThan(20);
    expectPrinted(ran);
    expect(outputIn(ran, 'knowledge status')).toMatch(/contributions/);
    expect(outputIn(ran, 'article publish')).toMatch(/rolling-out-sso/);
  }, 240_000);
});

describe('CONTRIBUTING.md', () => {
  test('every line does what the document says', async () => {
    const ran = await runShell(blocksOf('CONTRIBUTING.md'), run.gateway, { ...env, TURBO_TELEMETRY_DISABLED: '1' });
    expect(outputIn(ran, 'vitest run')).toMatch(/passed/);
  }, 60_000);

  test.each(['README.md', 'CONTRIBUTING.md'])('every script that %s names exists, and .ci/run runs it', (document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const gate = readFileSync(join(root, '.ci/run'), 'utf8');
    for (const [, workspace, name = ''] of text.matchAll(/`npm (?:run )?(?:-w (\w+) )?([\w:-]+)`/g)) {
      if (name === 'ci') continue;
      expect([document, name, scripts(workspace)[name]]).toEqual([document, name, expect.any(String)]);
      // `lint` includes `format`, and `start` already runs in these tests.
      if (!['format', 'start'].includes(name)) expect(gate).toMatch(new RegExp(`npm (?:run )?(?:-w \\w+ )?${name}\\b`));
    }
  });
});

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function plain(markup: string): string {
  return markup.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? '');
}

function outputIn(ran: readonly Ran[], part: string): string {
  const found = ran.find(({ command }) => command.includes(part));
  if (found === undefined) throw new Error(`No line with ${part} was run.`);
  return found.output;
}

function scripts(workspace = '.'): Record<string, string> {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')).scripts;
}

// Leaves out lines with grpcurl if it is not installed, and prints a message. In CI it must be installed.
function withGrpcurl(blocks: readonly Block[]): Block[] {
  try {
    execFileSync('grpcurl', ['-version'], { stdio: 'ignore' });
    return [...blocks];
  } catch (error) {
    if (process.env['CI']) throw new Error('grpcurl is not installed', { cause: error });
    process.stderr.write('The lines with grpcurl are left out: it is not installed.\n');
    const without = blocks.map((block) => ({ ...block, text: block.text.replace(/^grpcurl.*\n/gm, '') }));
    return without.filter(({ text }) => text !== '');
  }
}

test('nothing of all this stored a field about a person that its schema does not name', async () => {
  const client = new MongoClient(run.mongodb);
  try {
    for (const service of serviceNames) {
      const db = client.db(`knowledge_${service}`);
      for (const { name, options } of await db.listCollections<CollectionInfo>().toArray()) {
        const schema = fieldsOf({ validator: options?.validator ?? {} });
        if (typeof toldOf[`${db.databaseName}.${name}`] !== 'object') continue;
        const keys = [
          { $project: { of: { $objectToArray: '$$ROOT' } } },
          { $unwind: '$of' },
          { $group: { _id: '$of.k' } },
        ];
        const stored = (await db.collection(name).aggregate<{ _id: string }>(keys).toArray()).map(({ _id }) => _id);
        expect([service, name, ...stored.filter((key) => key !== '_id' && !schema.includes(key))]).toEqual([
          service,
          name,
        ]);
      }
    }
  } finally {
    await client.close();
  }
});
