import { cpuMs } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { FileProblem } from './fields.js';
import { foreignSyntax } from './foreign-syntax.js';
import { readFrontMatter } from './front-matter.js';

it.each([
  ['spaces before words', (size: number) => `---${' '.repeat(size)}a b\ntitle: x\n---\nx`],
  ['empty lines in an open quote', (size: number) => `---\ntitle: "${'\n'.repeat(size)}\n---\nx`],
  ['brackets', (size: number) => `---\ntitle: ${'['.repeat(size)}\n---\nx`],
  ['fields', (size: number) => `---\n${Array.from({ length: size / 6 }, (_, at) => `f${at}: ~\n`).join('')}---\nx`],
  ['aliases', (size: number) => `---\na: &a x\nb: [${'*a,'.repeat(size / 3)}]\n---\nx`],
  ['ends that are none', (size: number) => `---\na: x\n${'---x\n'.repeat(size / 5)}---\nx`],
  ['documents', (size: number) => `---\n${'...\n'.repeat(size / 4)}---\nx`],
  ['tables of TOML', (size: number) => `+++\n${'[a.b.c]\n'.repeat(size / 8)}+++\nx`],
  ['dotted names of TOML', (size: number) => `+++\n${'a.'.repeat(size / 2)}a = 1\n+++\nx`],
  ['TOML fields', (size: number) => `+++\n${Array.from({ length: size / 8 }, (_, at) => `f${at}=1\n`).join('')}+++\nx`],
  ['brackets of TOML', (size: number) => `+++\na = ${'['.repeat(size)}\n+++\nx`],
  ['digits of TOML', (size: number) => `+++\na = ${'1'.repeat(size)}\n+++\nx`],
  ['quotes of TOML', (size: number) => `+++\na = """${'"" '.repeat(size / 3)}\n+++\nx`],
  ['empty lines', (size: number) => '\n'.repeat(size)],
  ['marks of other systems', (size: number) => `{#a ==b :c ^1 $2n $d= ${'%$(x== {#a :b ^1'.repeat(size / 16)}+`],
])('reads many %s in a time like their length', (_, make) => {
  // The longest front matter, and the largest file.
  const files = [55_000, 290_000].map((size) => Buffer.from(make(size)));
  const begun = cpuMs();
  for (const file of files) {
    try {
      foreignSyntax(readFrontMatter(file).body, 0);
    } catch (error) {
      expect(error).toBeInstanceOf(FileProblem);
    }
  }
  expect(cpuMs() - begun).toBeLessThan(1_500);
});
