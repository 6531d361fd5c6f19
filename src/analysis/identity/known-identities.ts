/** What no data says: facts about vendors and products, each with its reason. Names are `vendor:product` of CPE. */

export interface KnownIdentity {
  pairs: readonly string[];
  reason: string;
}

/** One product under several CPE names. */
export const SAME_PRODUCTS: readonly KnownIdentity[] = [
  { pairs: ['vbulletin:vbulletin', 'jelsoft:vbulletin'], reason: 'Jelsoft made vBulletin until 2009' },
  {
    pairs: [
      'magento:magento',
      'magentocommerce:magento',
      'magentocommerc:magento',
      'adobe:magento',
      'adobe:magento_open_source',
      'adobe:magento_commerce',
      'magento:magento2',
    ],
    reason: 'Adobe bought Magento in 2018 and renamed its editions',
  },
  {
    pairs: [
      'varnish-cache:varnish',
      'varnish-cache:varnish_cache',
      'varnish_cache_project:varnish_cache',
      'varnish.projects.linpro:varnish',
      'varnish-software:varnish_cache',
    ],
    reason: 'Varnish Cache was begun at Linpro and has been released by Varnish Software',
  },
  {
    pairs: ['mortbay:jetty', 'mortbay_jetty:jetty', 'eclipse:jetty', 'jetty:jetty', 'jetty:jetty_http_server'],
    reason: 'Jetty moved from Mort Bay to Eclipse in 2009',
  },
  {
    pairs: [
      'squid-cache:squid',
      'squid:squid',
      'squid:squid_web_proxy',
      'squid:squid_web_proxy_cache',
      'national_science_foundation:squid_web_proxy',
      'national_science_foundation:squid_web_proxy_cache',
    ],
    reason: 'the Squid web proxy, first funded by the NSF',
  },
  {
    pairs: ['tinymce:tinymce', 'tiny:tinymce', 'tiny.cloud:tinymce', 'moxiecode:tinymce'],
    reason: 'Moxiecode, the maker of TinyMCE, is called Tiny now',
  },
  {
    pairs: ['sun:mysql', 'mysql:mysql', 'oracle:mysql'],
    reason: 'MySQL AB was bought by Sun in 2008, Sun by Oracle in 2010',
  },
  { pairs: ['sun:jdk', 'oracle:jdk'], reason: 'Oracle bought Sun in 2010' },
  { pairs: ['sun:jre', 'oracle:jre'], reason: 'Oracle bought Sun in 2010' },
  {
    pairs: ['macromedia:coldfusion', 'adobe:coldfusion', 'allaire:coldfusion'],
    reason: 'Allaire, Macromedia and Adobe followed each other',
  },
  { pairs: ['macromedia:flash_player', 'adobe:flash_player'], reason: 'Adobe bought Macromedia in 2005' },
  {
    pairs: ['bea:weblogic_server', 'bea_systems:weblogic_server', 'oracle:weblogic_server'],
    reason: 'Oracle bought BEA in 2008',
  },
  {
    pairs: [
      'vmware:spring_framework',
      'pivotal_software:spring_framework',
      'springsource:spring_framework',
      'pivotal:spring_framework',
    ],
    reason: 'SpringSource, Pivotal and VMware followed each other',
  },
  {
    pairs: ['hudson-ci:hudson', 'eclipse:hudson', 'oracle:hudson'],
    reason: 'Hudson moved from Oracle to Eclipse in 2011',
  },
  { pairs: ['ethereal_group:ethereal', 'ethereal:ethereal'], reason: 'the Ethereal project' },
  {
    pairs: ['elasticsearch:elasticsearch', 'elastic:elasticsearch'],
    reason: 'the company is called Elastic since 2015',
  },
  { pairs: ['elasticsearch:kibana', 'elastic:kibana'], reason: 'the company is called Elastic since 2015' },
  {
    pairs: ['redislabs:redis', 'redis:redis', 'pivotal_software:redis'],
    reason: 'Redis was sponsored by Pivotal, then by Redis Labs',
  },
  {
    pairs: ['puppetlabs:puppet', 'puppet:puppet', 'reductivelabs:puppet'],
    reason: 'Reductive Labs, Puppet Labs and Puppet are one company',
  },
  { pairs: ['ruby-lang:ruby', 'yukihiro_matsumoto:ruby'], reason: 'Matsumoto is its author' },
  { pairs: ['perl:perl', 'larry_wall:perl'], reason: 'Wall is its author' },
  { pairs: ['sendmail:sendmail', 'eric_allman:sendmail'], reason: 'Allman is its author' },
  { pairs: ['dovecot:dovecot', 'timo_sirainen:dovecot'], reason: 'Sirainen is its author' },
  { pairs: ['haxx:curl', 'daniel_stenberg:curl'], reason: 'Stenberg is its author' },
  { pairs: ['punbb:punbb', 'rickard_andersson:punbb'], reason: 'Andersson is its author' },
  {
    pairs: ['menalto:gallery', 'bharat_mediratta:gallery', 'gallery_project:gallery'],
    reason: 'Mediratta is its author, Menalto its site',
  },
  { pairs: ['thekelleys:dnsmasq', 'dnsmasq:dnsmasq'], reason: 'written by Simon Kelley' },
  {
    pairs: ['libreoffice:libreoffice', 'the_document_foundation:libreoffice', 'thedocumentfoundation:libreoffice'],
    reason: 'The Document Foundation makes it',
  },
  {
    pairs: ['linuxfoundation:harbor', 'cncf:harbor', 'goharbor:harbor'],
    reason: 'the CNCF belongs to the Linux Foundation',
  },
  { pairs: ['parallels:plesk', 'plesk:plesk', 'swsoft:plesk'], reason: 'SWsoft became Parallels, which sold Plesk' },
  { pairs: ['sun:openjdk', 'oracle:openjdk'], reason: 'Oracle bought Sun in 2010' },
  { pairs: ['macromedia:shockwave', 'adobe:shockwave'], reason: 'Adobe bought Macromedia in 2005' },
  {
    pairs: ['owncloud:owncloud', 'owncloud:owncloud_server', 'kiteworks:owncloud'],
    reason: 'Kiteworks bought ownCloud in 2023',
  },
  {
    pairs: ['vmware:spring_framework', 'spring_by_vmware_tanzu:spring_framework'],
    reason: 'a name of VMware in CVE records',
  },
  { pairs: ['polkit_project:polkit', 'red_hat:polkit'], reason: 'Red Hat maintained it' },
  {
    pairs: ['openjsf:express', 'expressjs:express', 'express:express'],
    reason: 'Express belongs to the OpenJS Foundation',
  },
  { pairs: ['fckeditor:fckeditor', 'frederico_caldeira_knabben:fckeditor'], reason: 'Knabben is its author' },
  { pairs: ['ckeditor:ckeditor', 'cksource:ckeditor'], reason: 'CKSource makes it' },
  { pairs: ['typo3:typo3', 'typo3_association:typo3', 'typo3_group:typo3'], reason: 'the TYPO3 association' },
];

/** Products of one name that are not one product, although some data would join them. */
export const DIFFERENT_PRODUCTS: readonly KnownIdentity[] = [
  { pairs: ['gofiber:django', 'djangoproject:django'], reason: 'a template engine of Go' },
  {
    pairs: [
      'varnish_http_accelerator_integration_project:varnish',
      'varnish-cache:varnish',
      'varnish.projects.linpro:varnish',
    ],
    reason: 'a module of Drupal',
  },
  { pairs: ['jenkins:git', 'git:git', 'git-scm:git'], reason: 'a plugin of Jenkins' },
  { pairs: ['ibm:http_server', 'apache:http_server'], reason: 'a product of IBM, made from that of Apache' },
  { pairs: ['monocms:monocms', 'mono:mono', 'mono-project:mono'], reason: 'a content management system' },
  { pairs: ['mysql_project:mysql', 'mysql:mysql', 'oracle:mysql'], reason: 'a client library' },
  { pairs: ['openmage:magento', 'magento:magento', 'adobe:magento'], reason: 'a fork with versions of its own' },
];

/** What people type, for a product whose CPE name is another. */
export const TYPED_NAMES: readonly { name: string; pair: string; reason: string }[] = [
  { name: 'log4j2', pair: 'apache:log4j', reason: 'version 2 has packages of its own and the CPE name of version 1' },
  { name: 'httpd', pair: 'apache:http_server', reason: 'the name of its program' },
  { name: 'apache2', pair: 'apache:http_server', reason: 'the name of its package in Debian' },
  { name: 'apache_httpd', pair: 'apache:http_server', reason: 'the name of its program' },
  { name: 'postgres', pair: 'postgresql:postgresql', reason: 'the name of its program' },
  { name: 'iis', pair: 'microsoft:internet_information_services', reason: 'its usual short name' },
  { name: 'k8s', pair: 'kubernetes:kubernetes', reason: 'its usual short name' },
  { name: 'dnn', pair: 'dnnsoftware:dotnetnuke', reason: 'its name since 2013' },
  { name: 'nodejs', pair: 'nodejs:node.js', reason: 'written without the dot' },
  { name: 'magento2', pair: 'magento:magento', reason: 'its second version' },
  { name: 'fortigate', pair: 'fortinet:fortios', reason: 'the device that runs FortiOS' },
  { name: 'vcenter', pair: 'vmware:vcenter_server', reason: 'its usual short name' },
  { name: 'exchange', pair: 'microsoft:exchange_server', reason: 'its usual short name' },
  { name: 'sharepoint', pair: 'microsoft:sharepoint_server', reason: 'its usual short name' },
];
