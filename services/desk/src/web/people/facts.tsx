import type { Fragment, Html } from '@knowledge/runtime/html';
import type { presentMail, presentTransition } from '../../present/transition.js';
import { titledTable } from '../layout/tables.js';
import { changeWords, fact, strange, timeOf, words } from '../layout/values.js';

/** Facts with their labels. Facts without a value are left out. */
export function factList(facts: readonly (readonly [label: string, value: Fragment])[]): Html {
  return <dl class="facts">{facts.map(([label, value]) => fact(label, value))}</dl>;
}

/** Who changed it, when and why; oldest first. */
export function historyTable(history: readonly ReturnType<typeof presentTransition>[]): Html {
  return titledTable(
    'History',
    history,
    [
      { header: 'When', cell: ({ occurred_at }) => timeOf(occurred_at) },
      { header: 'Change', cell: ({ from_state, to_state }) => changeWords(from_state, to_state) },
      { header: 'Who', cell: ({ actor }) => strange(actor) },
      { header: 'Why', cell: ({ reason }) => strange(reason) },
    ],
    'Nothing is stored.',
  );
}

type MailView = ReturnType<typeof presentMail>;

/** The mails of one thing, oldest first. */
export function mailsOfThing(mails: readonly MailView[]): Html {
  return titledTable('Mails', mails, [...mailColumns], 'It caused no mail.');
}

export const mailColumns = [
  { header: 'Mail', cell: ({ purpose }: MailView) => words(purpose) },
  {
    header: 'Delivery',
    cell: ({ state, attempts, response }: MailView) => (
      <>
        {state}, {attempts} {attempts === 1 ? 'try' : 'tries'} <span class="small">{strange(response)}</span>
      </>
    ),
  },
  { header: 'Sent', cell: ({ sent_at }: MailView) => timeOf(sent_at) },
];
