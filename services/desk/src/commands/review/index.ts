import { group } from '../../command-table.js';
import { answer, decision, edit, undo } from './decide.js';
import { groups, rejectGroup } from './groups.js';
import { count, list } from './list.js';
import { next } from './next.js';
import { note, show } from './show.js';

/** The commands `knowledge review …`, which moderators use. */
export const review = group({
  commands: {
    list,
    count,
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
