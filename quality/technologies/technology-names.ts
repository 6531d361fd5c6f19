/** Names that tools and people have for one technology; a name that is a part of another is not the same. */
const SAME: readonly (readonly string[])[] = [
  ['Apache HTTP Server', 'Apache', 'httpd'],
  ['Microsoft IIS', 'IIS', 'Internet Information Services'],
  ['ASP.NET', 'Microsoft ASP.NET', 'ASP_NET', 'ASP.NET Core', 'ASP.NET MVC'],
  ['TYPO3', 'TYPO3 CMS'],
  ['Matomo', 'Matomo Analytics', 'Piwik'],
  ['Google Fonts', 'Google Font API'],
  ['Nuxt', 'Nuxt.js'],
  ['Node.js', 'Node'],
  ['React', 'ReactJS'],
  ['Vue.js', 'Vue'],
  ['Redoc', 'ReDoc'],
  ['Jakarta Faces', 'JavaServer Faces', 'JSF'],
  ['JBoss', 'JBoss Application Server'],
  ['Amazon CloudFront', 'CloudFront'],
  ['Adobe Fonts', 'Typekit'],
  ['Adobe Experience Platform Tags', 'Adobe Experience Platform Launch', 'Adobe DTM'],
  ['HubSpot CMS', 'HubSpot CMS Hub'],
  ['Jira', 'Atlassian Jira'],
  ['Confluence', 'Atlassian Confluence'],
  ['Bitbucket', 'Atlassian Bitbucket'],
  ['Zendesk', 'Zendesk Chat', 'Zendesk Support'],
  ['Cloudflare Turnstile', 'Turnstile'],
  [
    'Google Cloud',
    'Google Cloud Platform',
    'Google Frontend',
    'Google Cloud CDN',
    'Google App Engine',
    'Google Cloud Run',
  ],
  ['Amazon Web Services', 'Amazon S3', 'AWS'],
  ['Google Analytics', 'Google Analytics 4'],
  ['Google Tag Manager', 'GTM', 'Google tag'],
  ['Algolia', 'Algolia DocSearch'],
  ['OpenResty', 'open-resty'],
  ['Material for MkDocs', 'MkDocs Material'],
  ['Symfony', 'Symfony Encore'],
  ['unpkg', 'UNPKG'],
  ['Outlook Web App', 'Outlook Web Access', 'OWA', 'Microsoft Exchange'],
  ['Contact Form 7', 'contact-form-7'],
  ['Yoast SEO', 'Yoast'],
  ['Slider Revolution', 'Revolution Slider'],
  ['Java Servlet', 'Java'],
  ['Windows Server', 'Windows'],
  ['CentOS', 'CentOS Linux'],
  ['Red Hat Enterprise Linux', 'Red Hat'],
  ['Cookiebot', 'Cookiebot CMP'],
  ['Mailchimp', 'MailChimp for WordPress'],
  ['Facebook SDK', 'Facebook', 'Facebook Login'],
  ['Meta Pixel', 'Facebook Pixel'],
  ['X Widgets', 'Twitter', 'X (Twitter)'],
  ['LiteSpeed', 'LiteSpeed Web Server', 'LiteSpeed Cache'],
  ['F5 BIG-IP', 'BIG-IP'],
  ['Citrix NetScaler', 'NetScaler', 'Citrix ADC'],
  ['Imperva', 'Incapsula'],
  ['Moment.js', 'moment'],
  ['Proxmox VE', 'Proxmox'],
  ['Keycloak', 'Red Hat Keycloak'],
  ['Magento', 'Adobe Commerce'],
  ['Envoy', 'Envoy Proxy'],
  ['Webflow', 'Webflow CMS'],
  ['Javadoc', 'javadoc'],
  ['Bitrix', '1C-Bitrix'],
  ['SAP Commerce Cloud', 'Hybris'],
  ['Optimizely CMS', 'EPiServer'],
  ['GitHub Pages', 'GitHub.com'],
  ['Ruby on Rails', 'Rails', 'Ruby-on-Rails'],
];

const GROUP_OF = new Map(SAME.flatMap((names, group) => names.map((name) => [plain(name), group])));

/** Whether two names are of one technology. */
export function sameTechnology(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  return a === b || (GROUP_OF.has(a) && GROUP_OF.get(a) === GROUP_OF.get(b));
}

/** Without case, spaces, dots and dashes, and without the `js` at the end of libraries. */
function plain(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9+#]/g, '');
  return letters.length > 4 ? letters.replace(/js$/, '') : letters;
}
