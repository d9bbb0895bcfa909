import { setTimeout } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { until } from './until.js';

/** A program that runs on a terminal with 80 columns and 24 rows. */
export interface Terminal {
  /** Waits until new output contains the text. Returns the output up to the text. */
  shows(text: string): Promise<string>;
  type(keys: string): void;
  /** Types keys when new output contains the text. Returns the output up to the text. */
  typeAt(text: string, keys: string): Promise<string>;
  /** Answers the question whether to go on, and waits until the program ends. Returns what it asked, too. */
  reply(keys: string): Promise<{ asked: string; code: number; rest: string }>;
  /** Waits until the program ends. Returns the exit code and the remaining output. */
  ended(): Promise<{ code: number; rest: string }>;
}

export function openTerminal([file = '', ...args]: readonly string[], env: Record<string, string>): Terminal {
  const size = { cols: 80, rows: 24 };
  const child = spawn(file, args, { ...size, env: { TERM: 'xterm', NO_COLOR: '1', ...env } });
  let shown = '';
  let seen = 0;
  child.onData((text) => {
    shown += text.replaceAll('\r\n', '\n');
  });
  const code = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const terminal: Terminal = {
    async shows(text) {
      await until(text, () => shown.includes(text, seen)).catch((error: unknown) => {
        throw new Error(
          `The terminal shows no "${text}" behind ${JSON.stringify(shown.slice(0, seen))}, but: ${shown.slice(seen)}`,
          { cause: error },
        );
      });
      const end = shown.indexOf(text, seen) + text.length;
      const part = shown.slice(seen, end);
      seen = end;
      return part;
    },
    type: (keys) => child.write(keys),
    async typeAt(text, keys) {
      const part = await terminal.shows(text);
      // A person reads first.
      await setTimeout(500);
      child.write(keys);
      return part;
    },
    async reply(keys) {
      return { asked: await terminal.typeAt('Go on? [y/N] ', keys), ...(await terminal.ended()) };
    },
    async ended() {
      return { code: await code, rest: shown.slice(seen) };
    },
  };
  return terminal;
}
