import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { presentSynonym, synonymPut } from '../../search-words/synonym-entry.js';
import { enumWords } from '../../words.js';

const outcomes = enumWords(PutOutcome);

export function addSynonymPut(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('put')
    .description('create a group of synonyms, or replace all of its words; search uses it within a second')
    .argument('<id>', 'the name of the group: a-z, 0-9 and hyphens')
    .argument('<words...>', 'a search for one of these words or phrases finds all of them')
    .option(
      '--from <word>',
      'a search for it also finds the words, and not the other way round (for ambiguous acronyms); may be repeated',
      (value, all: string[]) => [...all, value],
      [],
    )
    .addOption(reasonOption())
    .action(
      handle(async (session, id: string, words: string[], { from, reason }: { from: string[]; reason: string }) => {
        const client = session.connect('content', SearchWordsServiceService);
        const request = { ...synonymPut({ id, words, from }, reason), validateOnly: false };
        const { synonym, outcome } = await client.putSynonym(request, session.callContext());
        const result = { ...presentSynonym(requireField(synonym)), outcome: outcomes.fromWire(outcome) };
        session.print.result(result, () => `The group ${id} is ${result.outcome}: ${result.words.join(', ')}`);
      }),
    );
  addExamples(
    command,
    'synonym put sso SSO "single sign-on" Einmalanmeldung',
    'synonym put ad "Active Directory" --from AD --reason "AD is also the year"',
  );
}
