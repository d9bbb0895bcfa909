import { shortened } from '@knowledge/runtime/shortened';
import { readTime } from '../base/time.js';
import { sites } from '../base/words.js';

/** Reads the fields of a front matter. Collects every fault, so that the author sees all faults together. */
export class FieldReader {
  readonly faults: string[] = [];
  private readonly known = new Set<string>();
  private readonly names: ReadonlyMap<string, string>;

  constructor(private readonly fields: Readonly<Record<string, unknown>>) {
    // Of two names that differ only in how they are written, the first counts.
    const names = Object.keys(fields).reverse();
    this.names = new Map(names.map((name) => [plainName(name), name]));
  }

  /** Finds the first of several names that has a value in the file. */
  filled(names: readonly string[]): string | undefined {
    return names.find((name) => !isEmpty(this.peek(name)));
  }

  /** Reads a text; empty if the field is absent. */
  text(name: string, { required = false } = {}): string {
    const value = this.take(name);
    if (typeof value === 'string') {
      if (required && value.trim() === '') this.faults.push(`${name}: must not be empty`);
      return value;
    }
    if (value !== undefined) this.faults.push(`${name}: must be text`);
    else if (required) this.faults.push(`${name}: is missing`);
    return '';
  }

  /** Reads a list of words, or a text with commas between words. A map counts by its name or label. */
  words(name: string): string[] {
    const value = this.take(name) ?? [];
    const items: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value];
    const words = items.map(labelOf);
    if (!words.every((word) => typeof word === 'string')) {
      this.faults.push(`${name}: must be a list of words`);
      return [];
    }
    return words.map((word) => word.trim()).filter((word) => word !== '');
  }

  time(name: string): Date | undefined {
    const value = this.text(name);
    if (value === '') return undefined;
    const time = readTime(value);
    if (time === undefined) this.faults.push(`${name}: must be a time like 2026-06-01T09:00:00Z, or a date`);
    return time;
  }

  /** Reads a whole number from 1; 0 if the field is absent. */
  count(name: string): number {
    const value = this.text(name).trim();
    if (value === '') return 0;
    if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
    this.faults.push(`${name}: must be a whole number from 1`);
    return 0;
  }

  choice(name: string, words: readonly string[], otherwise: string): string {
    const value = this.text(name) || otherwise;
    if (!words.includes(value)) this.faults.push(`${name}: must be one of ${words.join(', ')}`);
    return value;
  }

  /** Reads the site in the file, or else uses the site of the command line. */
  site(given: string | undefined) {
    const own = this.text('site');
    if (own !== '' && !sites.words.includes(own)) this.faults.push('site: must be io or org');
    else if (own === '' && given === undefined) this.faults.push('site: is missing; give it here or with --site');
    return sites.toWire(own || given);
  }

  /** Lists the fields of the file that were not read, and say something. */
  unknown(): string[] {
    return Object.keys(this.fields).filter((name) => !this.known.has(name) && !isEmpty(this.fields[name]));
  }

  /** Throws a FileProblem that names every wrong field, if there is one. */
  finish(): void {
    if (this.faults.length > 0) throw new FileProblem(this.faults.join('; '));
  }

  /** Reads a value of any type; undefined if the field is absent or empty in YAML. */
  take(name: string): unknown {
    this.known.add(this.names.get(plainName(name)) ?? name);
    return this.peek(name);
  }

  /** Looks at a value without counting it as read. */
  peek(name: string): unknown {
    const own = this.names.get(plainName(name));
    return own === undefined ? undefined : (this.fields[own] ?? undefined);
  }
}

/** `publishDate`, `publish_date` and `Publish-Date` are one name. */
function plainName(name: string) {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** Whether a field says nothing. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function labelOf(item: unknown) {
  if (typeof item !== 'object' || item === null) return item;
  const { name, label } = item as Readonly<Record<string, unknown>>;
  return name ?? label;
}

/** A fault in a file, with a message for its author. What it repeats of the file is cut. */
export class FileProblem extends Error {
  override readonly name: string = 'FileProblem';

  constructor(message: string) {
    super(shortened(message, 1_000));
  }
}

/** Why a file is no text to import. It stops no other file. */
export class LeftOut extends FileProblem {
  override readonly name = 'LeftOut';
}
