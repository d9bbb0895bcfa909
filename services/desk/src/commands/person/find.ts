import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { lookReasonOption } from '../../options.js';
import { type Found, findByWord } from '../../person/find-by-word.js';
import { personServices } from '../../person/person-services.js';
import type { Column } from '../../print/table.js';

export function addPersonFind(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('find')
    .description(
      'find the person behind what somebody names: an id, an X-Request-Id, a user code, an agent, an address',
    )
    .argument('<word>', 'what they name; in quotes if it has spaces')
    .addOption(lookReasonOption())
    .action(
      handle(async (session, word: string, { reason }: { reason: string }) => {
        const found = await findByWord(personServices(session), word.trim(), reason);
        session.print.list(found.map(toView), columns, { one: 'thing' });
      }),
    );
  addExamples(
    command,
    'person find WDJB-MJHT',
    'person find "README tour"',
    'person find 894b2c6e-0f2a-4c43-9f5e-3d1b3c0a7c11',
  );
}

function toView(found: Found) {
  if (found.kind === 'limits') return { kind: found.kind, id: found.subject, email: null };
  return { kind: found.kind, id: found.kind === 'person' ? found.email : found.id, email: found.email };
}

const columns: readonly Column<ReturnType<typeof toView>>[] = [
  { header: 'what', value: (each) => each.kind },
  { header: 'id', value: (each) => each.id, neverCut: true },
  { header: 'person', value: (each) => each.email ?? '-' },
];
