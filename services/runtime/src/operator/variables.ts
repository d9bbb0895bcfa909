import { text, url } from '../config/variable.js';
import { isSingleAddress } from '../text/address.js';

/**
 * The variables that describe the operator, for every process that writes pages, mails or documents. Check them with
 * `operatorFaults`: only a local start may leave out contact and privacy notice.
 */
export const operatorVariables = {
  OPERATOR_NAME: text({ optional: true, max: 200, description: 'who runs the service' }),
  OPERATOR_CONTACT: text({
    optional: true,
    max: 500,
    description: 'where people reach who runs it: an e-mail address or a URL',
  }),
  PRIVACY_URL: url({ optional: true, description: 'the privacy notice' }),
  TERMS_URL: url({ optional: true, description: 'the terms of use' }),
  IMPRINT_URL: url({ optional: true, description: 'the imprint' }),
  RULES_URL: url({ optional: true, description: 'the rules for contributions' }),
  CONTENT_LICENSE: text({
    optional: true,
    max: 500,
    description: 'under which licence the texts are: its name, and its URL after a space',
  }),
};

/** Whether a string is a valid contact: one e-mail address, or an http or https URL. */
export function isContact(contact: string): boolean {
  return isSingleAddress(contact) || (URL.canParse(contact) && /^https?:$/.test(new URL(contact).protocol));
}
