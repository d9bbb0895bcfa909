import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { type Block, root } from './blocks.js';

/** A command of a document, with its real output and its documented output. */
export interface Ran {
  readonly command: string;
  readonly output: string;
  readonly expected: string | undefined;
}

/**
 * Runs all lines of the `sh` blocks in one bash, in the same way as a reader who pastes them. A loop is one
 * command. Only the gateway's address differs. A `text` block is the documented output of the line before it.
 */
export async function runShell(blocks: readonly Block[], gateway: string, env: Record<string, string>): Promise<Ran[]> {
  const commands: { command: string; expected?: string }[] = [];
  for (const { language, text: block } of blocks) {
    const last = commands.at(-1);
    if (language === 'text' && last !== undefined) last.expected = block.trim();
    if (language === 'sh')
      commands.push(
        ...block
          .trimEnd()
          .split(/\n(?! {2}|done\b)/)
          .map((command) => ({ command })),
      );
  }
  const script = commands.map(({ command }) => `printf '%s' '${mark}'\n${command}`).join('\n');
  const { code, stdout, stderr } = await bash(script.replaceAll('http://localhost:8080', gateway), env);
  const outputs = stdout.split(mark).slice(1);
  const ran = commands.map((each, at) => ({ expected: undefined, ...each, output: outputs[at]?.trim() ?? '' }));
  expect(code, `${ran[outputs.length - 1]?.command}\n${stderr}`).toBe(0);
  // The desk prints progress on standard error, which is allowed. An error message there is always a failure.
  expect(stderr).not.toMatch(/\b(?:error|usage|cannot|refused|command not found)\b/i);
  return ran;
}

/** Checks that each line printed its documented output and that no line failed silently. */
export function expectPrinted(ran: readonly Ran[]): void {
  const silent = /^(?:export |[A-Z]+=|\w+\(\) |until |npx tsc)/;
  for (const { command, output, expected } of ran) {
    if (!silent.test(command)) expect({ command, output }).toMatchObject({ output: expect.stringMatching(/\S/) });
    expect({ command, output }).not.toMatchObject({ output: expect.stringMatching(/\bundefined\b/) });
    if (expected !== undefined) expect({ command, output }).toEqual({ command, output: expected });
  }
}

const mark = '\u001e';

async function bash(
  script: string,
  env: Record<string, string>,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn('bash', ['-e', '-c', script], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
