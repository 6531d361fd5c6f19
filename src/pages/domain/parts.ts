import type { z } from 'zod';
import type { DomainFinding, PartVerdict } from '../../analysis/domain-verdict.ts';
import type { Operation } from '../../engine/operation.ts';
import { sslCheck } from '../../operations/domain/ssl-check.ts';
import { subdomainEnum } from '../../operations/domain/subdomain-enum.ts';
import { waybackLookup } from '../../operations/domain/wayback-lookup.ts';
import { emailSecurityPosture } from '../../operations/email/email-security-posture.ts';
import { contrastScan } from '../../operations/web/contrast-scan.ts';
import { domainVulns } from '../../operations/web/domain-vulns.ts';
import { scanHeaders } from '../../operations/web/scan-headers.ts';
import type { Html } from '../html.ts';
import { drawHistory, drawNameList, judgeHistory, judgeNames } from './history.ts';
import { drawMail, judgeMail, mailFindings } from './mail.ts';
import { drawScan, judgeScan, scanFindings } from './scan.ts';
import { drawTechnologies, judgeTechnologies, technologyFindings } from './technologies.ts';
import { drawTls, judgeTls, tlsFindings } from './tls.ts';
import { drawWeb, judgeWeb, webFindings } from './web.ts';

/** One aspect of a domain: the question, and how its answer is shown. */
export interface Part<Out extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly name: string;
  readonly operation: Operation<z.ZodObject, Out>;
  /** Said while it is being asked. */
  readonly waiting: string;
  readonly judge: (answer: z.output<Out>) => PartVerdict;
  readonly findings: (answer: z.output<Out>) => readonly DomainFinding[];
  readonly draw: (answer: z.output<Out>) => Html;
}

function part<In extends z.ZodObject, Out extends z.ZodObject>(
  given: Omit<Part<Out>, 'operation'> & { operation: Operation<In, Out> },
): Part<Out> {
  return given;
}

export const MAIL = part({
  id: 'mail',
  name: 'Mail',
  operation: emailSecurityPosture,
  waiting: 'SPF, DMARC, DKIM, MTA-STS and more are being asked of the DNS.',
  judge: judgeMail,
  findings: mailFindings,
  draw: drawMail,
});
export const TLS = part({
  id: 'tls',
  name: 'TLS',
  operation: sslCheck,
  waiting: 'Versions and ciphers of port 443 are being tried.',
  judge: judgeTls,
  findings: tlsFindings,
  draw: drawTls,
});
export const WEB = part({
  id: 'web',
  name: 'Web',
  operation: scanHeaders,
  waiting: 'robots.txt, then the home page, are being fetched.',
  judge: judgeWeb,
  findings: webFindings,
  draw: drawWeb,
});
export const TECHNOLOGIES = part({
  id: 'technologies',
  name: 'Technologies',
  operation: domainVulns,
  waiting: 'The page is being read, and its technologies are looked up.',
  judge: judgeTechnologies,
  findings: technologyFindings,
  draw: drawTechnologies,
});
export const SCAN = part({
  id: 'scan',
  name: 'Scan',
  operation: contrastScan,
  waiting: 'The site is being scanned.',
  judge: judgeScan,
  findings: scanFindings,
  draw: drawScan,
});
const NAMES = part({
  id: 'names',
  name: 'Names',
  operation: subdomainEnum,
  waiting: 'The certificate logs and the DNS are being asked; that takes up to half a minute.',
  judge: judgeNames,
  findings: () => [],
  draw: drawNameList,
});
export const HISTORY = part({
  id: 'history',
  name: 'History',
  operation: waybackLookup,
  waiting: 'The archive is being asked.',
  judge: judgeHistory,
  findings: () => [],
  draw: drawHistory,
});

/** Parts that have pages of their own, by id. */
export const PARTS: Readonly<Record<string, Part>> = Object.fromEntries(
  [MAIL, TLS, WEB, TECHNOLOGIES, SCAN, NAMES, HISTORY].map((each) => [each.id, each as unknown as Part]),
);

/** Tokens that a part costs. */
export function costOf({ operation: { cost } }: { operation: { cost: unknown } }): number {
  return cost as number;
}
