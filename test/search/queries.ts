import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';

export const sites = ['io', 'org'] as const;

export type Site = (typeof sites)[number];
export type QuerySet = 'dev' | 'held';
export type Grade = 1 | 2 | 3;

/** The kinds of queries in the order of the table; queries.yaml explains each. */
export const kinds = [
  'plain',
  'question',
  'acronym',
  'author',
  'typo',
  'folding',
  'cross',
  'same-language',
  'object',
  'negative',
  'long-negative',
  'phrase',
  'tag',
] as const;

export type Kind = (typeof kinds)[number];

/** One query of queries.yaml. */
export interface Query {
  readonly id: string;
  readonly kind: Kind;
  readonly set: QuerySet;
  readonly site: Site | 'all';
  readonly need: string;
  readonly query: string;
  /** By the name of the sample file. What is not listed has grade 0. */
  readonly grades: Readonly<Record<string, Grade>>;
}

/** An article or object of the sample content. */
export interface SampleDocument {
  readonly site: Site;
  readonly folder: 'articles' | 'objects';
  /** The name of its file, without `.md`. */
  readonly name: string;
  /** The slug of an article, or the id of an object, as the API gives it. */
  readonly key: string;
}

// Vitest runs this file from its source, the command from dist.
const root = new URL(import.meta.url.includes('/test/dist/') ? '../../../' : '../../', import.meta.url);

export const sampleFolder = new URL('deploy/local/sample/', root);

export function readQueries(): Query[] {
  return readYaml('queries.yaml') as Query[];
}

/** Reads a file of this folder. */
export function readYaml(name: string): unknown {
  return load(readFileSync(new URL(`test/search/${name}`, root), 'utf8'));
}

export function readSampleDocuments(): SampleDocument[] {
  return sites.flatMap((site) =>
    (['articles', 'objects'] as const).flatMap((folder) => {
      const files = new URL(`${site}/${folder}/`, sampleFolder);
      return readdirSync(files).map((file) => {
        const key = /^(?:slug|id): *(\S+)/m.exec(readFileSync(new URL(file, files), 'utf8'))?.[1];
        if (key === undefined) throw new Error(`${site}/${folder}/${file} has neither slug nor id.`);
        return { site, folder, name: file.replace(/\.md$/, ''), key };
      });
    }),
  );
}
