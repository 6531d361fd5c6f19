import { isSameOrSubdomain } from '../domain-name.ts';

/** How a service shows that nobody has claimed a name: it does not exist in the DNS, or its page says so. */
export interface TakeoverService {
  service: string;
  /** Ends of the names that customers point to. `*` at the start: below a label of the customer's own choice. */
  aliases: readonly string[];
  /** The name does not exist where it is free. */
  nxdomain: boolean;
  /** Text of the page of a name that nobody has claimed; null: it shows none. */
  pageText: string | null;
  /** Somebody else can claim the name: without proof that he owns the domain. Else it is only a broken site. */
  claimable: 'yes' | 'sometimes';
}

/** Service; ends of aliases; sign (`nxdomain`, or the text of the page); claimable. As the services and reports on them document it. */
const TABLE = `
  GitHub Pages; github.io; There isn't a GitHub Pages site here; sometimes
  Amazon S3; s3.amazonaws.com s3-website*.amazonaws.com s3.*.amazonaws.com s3-website.*.amazonaws.com; The specified bucket does not exist; yes
  AWS Elastic Beanstalk; elasticbeanstalk.com; nxdomain; yes
  Azure App Service; azurewebsites.net; nxdomain; sometimes
  Azure Cloud Services; cloudapp.net cloudapp.azure.com; nxdomain; yes
  Azure Traffic Manager; trafficmanager.net; nxdomain; yes
  Azure CDN; azureedge.net; nxdomain; sometimes
  Azure Front Door; azurefd.net; nxdomain; sometimes
  Azure Blob Storage; blob.core.windows.net web.core.windows.net; nxdomain; yes
  Azure API Management; azure-api.net; nxdomain; yes
  Azure Container Instances; azurecontainer.io; nxdomain; yes
  Azure SQL; database.windows.net; nxdomain; yes
  Azure Redis; redis.cache.windows.net; nxdomain; yes
  Azure Search; search.windows.net; nxdomain; yes
  Azure Service Bus; servicebus.windows.net; nxdomain; yes
  Heroku; herokuapp.com herokudns.com herokussl.com; No such app; sometimes
  Netlify; netlify.app netlify.com; Not Found - Request ID; sometimes
  Vercel; vercel.app now.sh vercel-dns.com; The deployment could not be found on Vercel; sometimes
  Shopify; myshopify.com; Sorry, this shop is currently unavailable; sometimes
  Fastly; fastly.net; Fastly error: unknown domain; sometimes
  Pantheon; pantheonsite.io; The gods are wise, but do not know of the site which you seek; yes
  Ghost; ghost.io; Site unavailable; yes
  Tumblr; domains.tumblr.com; Whatever you were looking for doesn't currently exist at this address; sometimes
  WordPress.com; wordpress.com; Do you want to register; yes
  Cargo; cargocollective.com; If you're moving your domain away from Cargo; yes
  Bitbucket; bitbucket.io; Repository not found; yes
  Surge; surge.sh; project not found; yes
  Webflow; proxy.webflow.com proxy-ssl.webflow.com; The page you are looking for doesn't exist or has been moved; sometimes
  Read the Docs; readthedocs.io; The link you have followed or the URL that you entered does not exist; yes
  Zendesk; zendesk.com; Help Center Closed; sometimes
  Help Scout; helpscoutdocs.com; No settings were found for this company; yes
  Help Juice; helpjuice.com; We could not find what you're looking for; yes
  Freshdesk; freshdesk.com; There is no helpdesk here; sometimes
  UserVoice; uservoice.com; This UserVoice subdomain is currently available; yes
  Intercom; custom.intercom.help; This page is reserved for artistic dogs; sometimes
  Statuspage; statuspage.io; You are being redirected to the Statuspage; sometimes
  Uptime Robot; stats.uptimerobot.com; page not found; yes
  Readme.io; readme.io; The creators of this project are still working on making everything perfect; yes
  Launch Rock; launchrock.com; HTTP_STATUS=500; yes
  Unbounce; unbouncepages.com; The requested URL was not found on this server; sometimes
  Instapage; pageserve.co; Looks Like You're Lost; sometimes
  LeadPages; leadpages.net; We couldn't find the page you're looking for; sometimes
  Kinsta; kinsta.cloud; No Site For Domain; sometimes
  Agile CRM; agilecrm.com; Sorry, this page is no longer available; yes
  Airee; airee.ru; nxdomain; yes
  Anima; animaapp.io; The page you were looking for does not exist; yes
  Canny; canny.io; Company Not Found; yes
  Strikingly; s.strikinglydns.com; PAGE NOT FOUND; yes
  Ngrok; ngrok.io ngrok-free.app; Tunnel; sometimes
  Smugmug; smugmug.com; nxdomain; yes
  SurveySparrow; surveysparrow.com; Account not found; yes
  Worksites; worksites.net; Company Not Found; yes
  Gemfury; furyns.com; This page could not be found; yes
  HatenaBlog; hatenablog.com; 404 Blog is not found; yes
  JetBrains YouTrack; youtrack.cloud myjetbrains.com; is not a registered InCloud YouTrack; yes
  Discourse; trydiscourse.com; nxdomain; yes
  Google Sites; ghs.googlehosted.com ghs.google.com; nxdomain; sometimes
  Fly.io; fly.dev; nxdomain; sometimes
  Render; onrender.com; nxdomain; sometimes
  Railway; up.railway.app; Application not found; sometimes
`;

/** Services whose customers point names to them, and how an unclaimed one shows. */
export const TAKEOVER_SERVICES: readonly TakeoverService[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [service = '', aliases = '', sign = '', claimable = ''] = line.trim().split(/;\s*/);
    return {
      service,
      aliases: aliases.split(' '),
      nxdomain: sign === 'nxdomain',
      pageText: sign === 'nxdomain' ? null : sign,
      claimable: claimable === 'yes' ? 'yes' : 'sometimes',
    };
  });

/** The service that an alias points to; null: none of those that are known. */
export function findTakeoverService(alias: string): TakeoverService | null {
  return TAKEOVER_SERVICES.find(({ aliases }) => aliases.some((end) => matchesEnd(alias, end))) ?? null;
}

/** `s3.*.amazonaws.com`: the star stands for one label, or a part of one. */
function matchesEnd(alias: string, end: string): boolean {
  if (!end.includes('*')) return alias !== end ? isSameOrSubdomain(alias, end) : end.split('.').length > 2;
  const pattern = end.split('.').map((label) =>
    label
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('[a-z0-9-]*'),
  );
  return new RegExp(`(?:^|\\.)${pattern.join('\\.')}$`).test(alias);
}
