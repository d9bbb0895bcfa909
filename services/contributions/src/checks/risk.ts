import { siteTitles } from '@knowledge/runtime/product';
import {
  type Background,
  type BackgroundCheck,
  counted,
  type Finding,
  type Found,
  type ReadText,
  type TextCheck,
} from './check.js';
import { falseLinks, links, lookAlikeDomains, shortLinks } from './links.js';
import { personalData } from './personal-data.js';
import { waveLink, waveMail, waveNetwork, waveText } from './waves.js';
import {
  foreignScript,
  habits,
  hidden,
  markup,
  noSpaces,
  padding,
  report,
  shouting,
  stuffing,
  titleContact,
  toModels,
} from './writing.js';

/** How much a contribution needs a close look, and why. */
interface Assessment {
  /** From 0 to 100: the sum of the weights of all findings, at most 100. */
  risk: number;
  /** The findings, heaviest first. */
  findings: Finding[];
}

/** Runs all checks. They read at most 8,000 characters and take some milliseconds. */
export function assess(text: ReadText, background: Background): Assessment {
  const found = [
    ...Object.entries(textChecks).map(([check, run]) => named(check, run(text))),
    ...Object.entries(backgroundChecks).map(([check, run]) => named(check, run(background))),
  ].filter((each) => each !== undefined);
  const findings = found.sort((one, other) => other.weight - one.weight);
  return {
    findings,
    risk: Math.min(
      100,
      findings.reduce((sum, { weight }) => sum + weight, 0),
    ),
  };
}

function named(check: string, found: Found | undefined): Finding | undefined {
  return found && { check, ...found };
}

/** Finds earlier rejections of the same human. */
export const rejectedBefore: BackgroundCheck = ({ rejected }) =>
  rejected === 0
    ? undefined
    : {
        weight: Math.min(30, 10 + 5 * (rejected - 1)),
        text: `${counted(rejected, 'text')} of this human rejected before`,
      };

/** Finds the first contribution of a human. */
export const firstOfHuman: BackgroundCheck = ({ earlier }) =>
  earlier === 0 ? { weight: 5, text: 'the first contribution of this human' } : undefined;

/** Finds an agent that sends much. */
export const busyAgent: BackgroundCheck = ({ ofAgentToday }) =>
  ofAgentToday < 5
    ? undefined
    : {
        weight: ofAgentToday < 15 ? 8 : 15,
        text: `${counted(ofAgentToday, 'contribution')} of this agent in the 24 hours before`,
      };

/** Finds a text that is nearly equal to another one. */
export const nearDuplicate: BackgroundCheck = ({ nearest }) => {
  if (nearest === undefined) return undefined;
  const { percent, sameHuman } = nearest;
  // Others can know a text that both begin with; one sender who varies a text sends it again.
  if (percent < (sameHuman ? 60 : 70)) return undefined;
  const whose = sameHuman ? 'the same human' : 'another human';
  return { weight: sameHuman ? 20 : 35, text: `${percent} % the same as a text of ${whose}` };
};

/** Finds a published text that has most of this one. */
export const publishedText: BackgroundCheck = ({ published }) => {
  if (published === undefined) return undefined;
  if (published === 'unknown') return { weight: 1, text: 'not compared with published texts, which could not be read' };
  const { percent, about } = published;
  if (percent < 50) return undefined;
  const { kind, title, site } = about;
  const text = `${percent} % of it stands in the published ${kind} “${title.slice(0, 100)}”, ${siteTitles[site]}`;
  return { weight: 35, text, about };
};

/** Finds a name that looks like that of another author of published texts. One word may be the name of many. */
const borrowedName: BackgroundCheck = ({ borrowed }) =>
  borrowed === undefined
    ? undefined
    : {
        weight: /\S\s+\S/.test(borrowed) ? 20 : 8,
        text: `texts by “${borrowed.slice(0, 100)}” are published here already, not from this mailbox`,
      };

/** Finds keys, tokens and passwords. What was found is not repeated. */
const secrets: BackgroundCheck = ({ secrets: found }) =>
  found.length === 0 ? undefined : { weight: 30, text: `a key, token or password: ${found.join(', ').slice(0, 150)}` };

/** Finds a text in another language than its sender stated. */
export const otherLanguage: BackgroundCheck = ({ languages: { stated, recognised } }) => {
  if (stated === '' || recognised === '' || groupOf(stated) === groupOf(recognised)) return undefined;
  return { weight: 9, text: `the language seems to be ${nameOf(recognised)}, not ${nameOf(stated)}` };
};

// The library cannot distinguish languages of one group well enough for a finding.
const groups = ['no nb nn da', 'hr bs sr sh', 'id ms', 'cs sk', 'zh yue wuu', 'gl pt', 'tl fil', 'af nl'];

function groupOf(language: string) {
  const primary = language.replace(/-.*/, '').toLowerCase();
  return groups.find((each) => each.split(' ').includes(primary)) ?? primary;
}

const names = new Intl.DisplayNames('en', { type: 'language' });

function nameOf(language: string) {
  return names.of(language) ?? language;
}

const textChecks: Readonly<Record<string, TextCheck>> = {
  hidden_characters: hidden,
  look_alike_domain: lookAlikeDomains,
  false_link: falseLinks,
  short_link: shortLinks,
  links,
  markup,
  report,
  personal_data: personalData,
  to_models: toModels,
  shouting,
  no_spaces: noSpaces,
  habits,
  script: foreignScript,
  title_contact: titleContact,
  stuffing,
  padding,
};

const backgroundChecks: Readonly<Record<string, BackgroundCheck>> = {
  wave_link: waveLink,
  wave_mail: waveMail,
  wave_network: waveNetwork,
  wave_text: waveText,
  borrowed_name: borrowedName,
  near_duplicate: nearDuplicate,
  published_text: publishedText,
  secrets,
  language: otherLanguage,
  rejected_before: rejectedBefore,
  busy_agent: busyAgent,
  first_contribution: firstOfHuman,
};
