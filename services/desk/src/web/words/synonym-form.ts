import type { Synonym } from '@knowledge/proto/knowledge/content/v1/search';
import type { KnowledgeError } from '@knowledge/runtime';
import { type FormFaults, readFaults } from '../forms/form-values.js';

/** More than any field may have, so that the service says what is too long and nothing typed is lost. */
export const mostOfSynonym = { id: 1000, words: 20_000, from: 20_000, reason: 20_000 };

export type SynonymField = keyof typeof mostOfSynonym;
export type SynonymForm = Readonly<Record<SynonymField, string>>;

export const emptySynonym: SynonymForm = { id: '', words: '', from: '', reason: '' };

export function formOfSynonym({ id, words, from }: Synonym): SynonymForm {
  return { ...emptySynonym, id, words: words.join('\n'), from: from.join('\n') };
}

/** The group of a form, which has one word or phrase in each line. */
export function groupOf({ id, words, from }: SynonymForm): Pick<Synonym, 'id' | 'words' | 'from'> {
  return { id: id.trim(), words: linesOf(words), from: linesOf(from) };
}

/** Reads a refusal of the service, which counts the words from 0. */
export function synonymFaults({ code, message }: Pick<KnowledgeError, 'code' | 'message'>): FormFaults<SynonymField> {
  const byLine = message.replace(/\b(words|from)\[(\d+)\] /g, (_, name, at) => `${name} in line ${Number(at) + 1} `);
  return readFaults({ code, message: byLine }, ['id', 'words', 'from', 'reason']);
}

/** Tells whether a group changed after somebody opened it. A group that does not exist has no version. */
export function versionOf(group: Synonym | undefined): string {
  return group === undefined ? '' : String(group.updatedAt?.getTime() ?? 0);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
