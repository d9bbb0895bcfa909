import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const processes = {
  gateway: 'gateway/src',
  content: 'services/content/src',
  quota: 'services/quota/src',
  identity: 'services/identity/src',
  contributions: 'services/contributions/src',
  desk: 'services/desk/src/pages',
};
/** Without an OpenID provider the web desk must allow sign-in codes. */
const needed: Readonly<Record<string, string>> = { SIGN_IN_CODES: 'allow' };

/** A row of the table in deploy/README.md. */
interface Row {
  readonly name: string;
  readonly defaults: string;
  readonly readers: readonly string[];
}

const rows: Row[] = [
  ...readFileSync(new URL('deploy/README.md', root), 'utf8').matchAll(
    /^\| `([A-Z][A-Z_]+)` \| ([^|]*) \| ([^|]*) \| [^|]+ \|$/gm,
  ),
].map(([, name = '', defaults = '', readers = '']) => ({
  name,
  defaults: defaults.trim(),
  readers: readers.trim() === 'all' ? Object.keys(processes) : readers.split(',').map((each) => each.trim()),
}));

test.each(Object.entries(processes))(
  'the table of variables in deploy/README.md names every variable of %s with its default, and no other',
  async (name, folder) => {
    const module = (await import(new URL(`${folder}/config.ts`, root).href)) as Record<string, unknown>;
    const read = Object.entries(module).find(([key]) => /^read\w+Config$/.test(key))?.[1] as (env: object) => object;
    const variables = Object.entries(read(needed));
    expect(variables.length).toBeGreaterThan(10);
    const told = rows.filter(({ readers }) => readers.includes(name));
    expect(told.map((row) => row.name).sort()).toEqual(variables.map(([variable]) => variable).sort());
    for (const [variable, value] of variables) {
      const { defaults } = told.find((row) => row.name === variable) ?? { defaults: '' };
      // Default addresses differ between processes. The table lists all of them.
      if (value === undefined || value === needed[variable] || (Array.isArray(value) && value.length === 0))
        expect(defaults, variable).toBe('none');
      else expect(defaults, variable).toContain(`\`${value}\``);
    }
  },
);
