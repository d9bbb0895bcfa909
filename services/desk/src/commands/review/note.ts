import { randomUUID } from 'node:crypto';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { requireField } from '../../present/require-field.js';
import { presentNote } from '../../present/teamwork.js';
import { findContributionId } from './find.js';

export function addNote(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('note')
    .description('write a note for other moderators; nobody else sees it, and an export of the person has it')
    .argument('<id>', idHelp)
    .requiredOption('--text <text>', 'the note')
    .action(
      handle(async (session, word: string, { text }: { text: string }) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const contributionId = await findContributionId(session, moderation, word);
        const teamwork = session.connect('contributions', TeamworkServiceService);
        const { note } = await teamwork.addNote({ contributionId, id: randomUUID(), text }, session.callContext());
        session.print.result(presentNote(requireField(note)), () => `The note about ${contributionId} is stored.`);
      }),
    );
  addExamples(command, 'review note ID --text "I asked our lawyers; please wait for them."');
}
