import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Block, root } from './blocks.js';

/** The programs of a document, saved as files. TypeScript is compiled with strict checks. */
export interface Programs {
  /** Runs a program until it ends. Returns its output. */
  run(name: string, env: Record<string, string>): Promise<string>;
}

/** Saves the programs of a document in a folder, and compiles them. @throws Error with the messages of the compiler. */
export async function savePrograms(blocks: readonly Block[], folder: string): Promise<Programs> {
  const named = blocks.filter(({ name }) => name !== '');
  for (const { name, text: program } of named) writeFileSync(join(folder, name), program);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const sources = named.filter(({ language }) => language === 'ts').map(({ name }) => join(folder, name));
  await compile(sources, folder);
  return {
    async run(name, env) {
      const [command, file] = name.endsWith('.py') ? ['python3', name] : [process.execPath, name.replace('.ts', '.js')];
      const child = spawn(command, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}${stdout}`);
      return stdout;
    },
  };
}

async function compile(sources: readonly string[], folder: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--ignoreConfig',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--outDir',
    folder,
  ];
  const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
  try {
    await promisify(execFile)(process.execPath, [compiler, ...options, ...types, ...sources]);
  } catch (error) {
    throw new Error(`The programs do not compile: ${(error as { stdout?: string }).stdout}`);
  }
}
