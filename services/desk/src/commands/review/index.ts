import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addAnswer, addDecision, addEdit, addUndo } from './decide.js';
import { addGroups, addRejectGroup } from './groups.js';
import { addCount, addList } from './list.js';
import { addNext } from './next.js';
import { addNote } from './note.js';
import { addShow } from './show.js';

/** Adds the commands `knowledge review …`, which moderators use. */
export function addReviewCommands(group: Command, handle: CommandHandler): void {
  addList(group, handle);
  addCount(group, handle);
  addGroups(group, handle);
  addNext(group, handle);
  addShow(group, handle);
  addDecision(group, handle, 'approve');
  addDecision(group, handle, 'publish');
  addDecision(group, handle, 'retract');
  addDecision(group, handle, 'request_changes');
  addEdit(group, handle);
  addDecision(group, handle, 'reject');
  addRejectGroup(group, handle);
  addDecision(group, handle, 'reopen');
  addAnswer(group, handle);
  addDecision(group, handle, 'close');
  addUndo(group, handle);
  addNote(group, handle);
  addExamples(
    group,
    'review list',
    'review next',
    'review show ID',
    'review approve ID --publish',
    'review reject ID --reason "It is an advertisement."',
  );
}
