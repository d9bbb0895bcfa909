import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { RunFile } from '@knowledge/local';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../harness/http.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import { until } from '../harness/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-readme-'));
let local: ManagedProcess;
let run: RunFile;

beforeAll(async () => {
  const env = { HOME: process.env['HOME'] ?? '', DATA_DIR: dataDir, PORT: '0' };
  local = await startProcess({
    name: 'npm start',
    command: [process.execPath, join(root, 'deploy/local/bin/start.mjs')],
    env,
    ready: async () => {
      const file = () => JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as RunFile;
      run = await until('run.json', file, 170_000);
    },
  });
}, 180_000);
afterAll(async () => {
  await local?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

// Every line as a newcomer pastes it; only the address is another.
describe('README.md, its tours in the order of the page', () => {
  let lines: Line[];

  beforeAll(async () => {
    const { code, stdout, stderr } = await bash(script());
    expect(code, stderr).toBe(0);
    // What npm remarks about its own settings is not ours.
    expect(stderr.replace(/^npm .*\n/gm, '')).toBe('');
    lines = split(stdout);
  }, 120_000);

  const outputOf = (part: string) => {
    const found = lines.find(({ command }) => command.includes(part));
    expect(found, `a line of the README with ${part}`).toBeDefined();
    return found?.output ?? '';
  };

  test('every line that prints something prints it', () => {
    const silent = /^(?:[A-Z]+=|show\(\)|until )/;
    expect(lines.length).toBeGreaterThan(25);
    for (const { command, output } of lines) {
      if (!silent.test(command)) expect({ command, output }).toMatchObject({ output: expect.stringMatching(/\S/) });
      expect({ command, output }).not.toMatchObject({ output: expect.stringMatching(/undefined|"ok": ?false/) });
    }
  });

  test('reading shows titles, links, notes and the quota', () => {
    expect(outputOf('e.title)').match(/'[^']{5,}'|"[^"]{5,}"/g)).toHaveLength(3);
    expect(outputOf('single+sign-on')).toContain(`${run.gateway}/api/v1/content/`);
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

interface Line {
  readonly command: string;
  readonly output: string;
}

const mark = '\u001e';

/** The lines of all tours, each announced before it runs. */
function script(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const tours = readme.split(/^## /m).filter((section) => section.startsWith('A tour'));
  expect(tours).toHaveLength(3);
  const blocks = tours.flatMap((tour) =>
    [...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block),
  );
  const commands = blocks.join('').trimEnd().replaceAll('http://localhost:8080', run.gateway).split('\n');
  return commands.map((command) => `printf '%s' ${quoted(`${mark}${command}\n`)}\n${command}`).join('\n');
}

function split(output: string): Line[] {
  return output
    .split(mark)
    .slice(1)
    .map((each) => {
      const end = each.indexOf('\n');
      return { command: each.slice(0, end), output: each.slice(end + 1).trim() };
    });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

async function bash(commands: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', DATA_DIR: dataDir };
  const child = spawn('bash', ['-e', '-c', commands], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
