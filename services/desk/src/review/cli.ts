import { randomUUID } from 'node:crypto';
import { TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { idHelp, idsHelp } from '../base/ids.js';
import { presented } from '../base/presented.js';
import { callsOf } from '../base/session.js';
import { requireField } from '../base/words.js';
import { findContributionId, readContribution } from '../contributions/cli-find.js';
import { formatContribution } from '../contributions/contribution.js';
import { formatTextChanges } from '../contributions/text-changes.js';
import { eachNamed, group, result } from '../terminal/command-table.js';
import { answer, decision, edit, undo } from './cli-decide.js';
import { counted, groups, listed, rejectGroup } from './cli-list.js';
import { next } from './cli-next.js';

const show = eachNamed({
  about: 'show contributions with their history, their mails and the changes of their texts',
  takes: { '<id...>': idsHelp },
  find: findContributionId,
  run: (session, id) => readContribution(session, id),
  text: (record, paint) => formatContribution(record, paint) + formatTextChanges(record, paint),
  between: '\n\n\n',
  examples: ['review show ID', 'review show ID --json'],
});

const teamwork = callsOf('contributions', TeamworkServiceService);

const note = result({
  about: 'write a note for other moderators; nobody else sees it, and an export of the person has it',
  takes: { '<id>': idHelp, '--text <text>': { about: 'the note', required: true } },
  find: findContributionId,
  run: async (session, { id: contributionId, text }) =>
    presented(requireField((await teamwork(session).addNote({ contributionId, id: randomUUID(), text })).note)),
  text: (_, __, { id }) => `The note about ${id} is stored.`,
  examples: ['review note ID --text "I asked our lawyers; please wait for them."'],
});

/** The commands `knowledge review …`, which moderators use. */
export const review = group({
  commands: {
    list: listed,
    count: counted,
    groups,
    next,
    show,
    approve: decision('approve'),
    publish: decision('publish'),
    retract: decision('retract'),
    'request-changes': decision('request_changes'),
    edit,
    reject: decision('reject'),
    'reject-group': rejectGroup,
    reopen: decision('reopen'),
    answer,
    close: decision('close'),
    undo,
    note,
  },
  examples: [
    'review list',
    'review next',
    'review show ID',
    'review approve ID --publish',
    'review reject ID --reason "It is an advertisement."',
  ],
});
