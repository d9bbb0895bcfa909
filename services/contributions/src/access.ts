import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService, PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { accessTable, protoService } from '@knowledge/runtime/grpc';

/** The methods that each caller may call under mutual TLS. The desk may call everything, so it is not listed. */
export const access = accessTable(
  protoService(ContributionsServiceService, {
    submitContribution: ['gateway'],
    getContribution: ['gateway'],
    listContributions: ['gateway'],
    reviseContribution: ['gateway'],
    withdrawContribution: ['gateway'],
    withdrawWaiting: ['gateway'],
    takeDownContribution: ['gateway'],
    decideEdit: ['gateway'],
    eraseContribution: ['gateway'],
    getMailChoice: ['gateway'],
    setMailChoice: ['gateway'],
    getActivePrompt: ['gateway', 'editor', 'moderator', 'analyst', 'partner'],
    listPublicPrompts: ['gateway', 'editor', 'moderator', 'analyst', 'partner'],
  }),
  protoService(ModerationServiceService, {
    // Records contain addresses. Support reads records to inform people; analysts get only the log, which has no
    // addresses.
    listContributionRecords: ['moderator', 'support'],
    countContributionRecords: ['moderator', 'support'],
    getContributionRecord: ['moderator'],
    listContributionGroups: ['moderator'],
    rejectGroup: ['moderator'],
    decide: ['moderator'],
    editContribution: ['moderator'],
    undoDecision: ['moderator'],
    streamContributorExport: ['support'],
    eraseContributor: ['support'],
    watchContributions: ['moderator', 'analyst'],
  }),
  protoService(TeamworkServiceService, {
    announcePresence: ['moderator'],
    endPresence: ['moderator'],
    addNote: ['moderator'],
  }),
  protoService(ReasonServiceService, {
    listReasons: ['moderator'],
    // Only administrators write reasons, and they may call everything.
    putReason: [],
    deleteReason: [],
  }),
  protoService(PromptServiceService, {
    createPrompt: ['editor', 'moderator'],
    activatePrompt: ['editor', 'moderator'],
    closePrompt: ['editor', 'moderator'],
    correctPrompt: ['editor', 'moderator'],
    getPromptRecord: ['editor', 'moderator', 'analyst'],
    listPrompts: ['editor', 'moderator', 'analyst'],
  }),
  protoService(MailAdminServiceService, {
    listFailedMails: ['support', 'operator'],
    sendMailAgain: ['support', 'operator'],
  }),
);
