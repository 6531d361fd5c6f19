import {
  cname,
  comment,
  cookie,
  generator,
  header,
  host,
  mark,
  media,
  meta,
  path,
  hasHeader,
  defineTechnologies,
  word,
} from '../technology-rule.ts';

/** What pages are written with: content management, wikis, forums, site builders, static sites. */
export const CMS_TECHNOLOGIES = [
  ...defineTechnologies('CMS', {
    WordPress: {
      cpe: 'wordpress:wordpress',
      implies: ['PHP'],
      rules: [
        generator('^WordPress(?: {v})?$', 'WordPress 6.4.2', 'WordPress.com clone'),
        path('/wp-(?:content|includes)/', '/wp-content/uploads/2020/01/a.jpg', '/my-wp-content/a.js'),
        path(
          '/wp-includes/js/wp-(?:embed|emoji-release)\\.min\\.js\\?ver={v}',
          '/wp-includes/js/wp-embed.min.js?ver=5.6',
          '/wp-includes-x/js/wp-embed.min.js?ver=5.6',
        ),
        header(
          'link',
          'rel="https://api\\.w\\.org/"',
          '<https://example.com/wp-json/>; rel="https://api.w.org/"',
          '<https://api.w.org/>; rel="next"',
        ),
        header('x-pingback', '/xmlrpc\\.php$', 'https://example.com/xmlrpc.php', 'https://example.com/pingback'),
        cookie('wordpress_*'),
        cookie('wp-settings-*'),
      ],
    },
    Drupal: {
      cpe: 'drupal:drupal',
      implies: ['PHP'],
      rules: [
        generator('^Drupal {v}', 'Drupal 7 (http://drupal.org)', 'Drupalish 7'),
        header('x-generator', '^Drupal {v}', 'Drupal 10 (https://www.drupal.org)', 'Backdrop CMS 1'),
        header('x-drupal-cache', '^(?:HIT|MISS|UNCACHEABLE)', 'HIT', '-'),
        hasHeader('x-drupal-dynamic-cache'),
        path(
          '/misc/(?:ajax|progress|tabledrag|vertical-tabs|autocomplete)\\.js\\?v={v}$',
          '/misc/ajax.js?v=7.23',
          '/misc/other.js?v=7.23',
        ),
        path('/misc/drupal\\.js', '/misc/drupal.js?n0soly', '/miscellaneous/drupal.js'),
        path('/sites/(?:default|all)/(?:files|themes|modules)/', '/sites/default/files/css/a.css', '/sites/all/a.css'),
        path(
          '/core/misc/drupal\\.(?:js|init\\.js)\\?v={v}',
          '/core/misc/drupal.js?v=9.5.3',
          '/score/misc/drupal.js?v=9.5.3',
        ),
        mark('[data-drupal-selector]'),
        mark('[data-drupal-link-system-path]'),
      ],
    },
    'Backdrop CMS': {
      cpe: 'backdropcms:backdrop_cms',
      implies: ['PHP'],
      rules: [
        generator('^Backdrop CMS(?: {v})?', 'Backdrop CMS 1 (https://backdropcms.org)', 'Backdrops'),
        header('x-generator', '^Backdrop CMS(?: {v})?', 'Backdrop CMS 1 (backdropcms.org)', 'Drupal 7'),
      ],
    },
    Joomla: {
      cpe: 'joomla:joomla!',
      implies: ['PHP'],
      rules: [
        generator('^Joomla!(?: {v})?', 'Joomla! - Open Source Content Management', 'Joomlashack'),
        path(
          '/media/(?:jui|system)/js/(?:core|jquery|caption|mootools)',
          '/media/jui/js/jquery.min.js?a1',
          '/media/js/core.js',
        ),
        path('/components/com_[a-z][a-z0-9]{1,20}/', '/components/com_k2/css/k2.css', '/components/comet/a.css'),
        path(
          '/media/vendor/joomla-custom-elements/',
          '/media/vendor/joomla-custom-elements/js/joomla-alert.min.js',
          '/vendor/joomla/a.js',
        ),
      ],
    },
    TYPO3: {
      cpe: 'typo3:typo3',
      implies: ['PHP'],
      rules: [
        generator('^TYPO3(?: CMS)?(?: {v}|$)', 'TYPO3 4.7 CMS', 'TYPO33'),
        path('/typo3(?:temp|conf)/', '/typo3temp/assets/css/a.css', '/typo3/a.css'),
        comment(
          '^This website is powered by TYPO3',
          'This website is powered by TYPO3 - inspiring people to share!',
          'Powered by people',
        ),
      ],
    },
    'Adobe Experience Manager': {
      cpe: 'adobe:experience_manager',
      implies: ['Java'],
      rules: [
        path('/etc\\.clientlibs/', '/etc.clientlibs/site/clientlibs/base.min.css', '/clientlibs/a.css'),
        path('/etc/designs/', '/etc/designs/site/clientlib.css', '/designs/a.css'),
        path('/content/dam/', '/content/dam/site/logo.png', '/dam/logo.png'),
        mark('.aem-Grid'),
      ],
    },
    Sitecore: {
      cpe: 'sitecore:experience_platform',
      implies: ['ASP.NET'],
      rules: [cookie('SC_ANALYTICS_GLOBAL_COOKIE'), path('/-/media/', '/-/media/images/logo.png', '/media/logo.png')],
    },
    Umbraco: {
      cpe: 'umbraco:umbraco_cms',
      implies: ['ASP.NET'],
      rules: [hasHeader('x-umbraco-version'), generator('^Umbraco', 'Umbraco', 'Umbra'), cookie('UMB_UCONTEXT')],
    },
    Kentico: {
      cpe: 'kentico:kentico',
      implies: ['ASP.NET'],
      rules: [
        cookie('CMSPreferredCulture'),
        cookie('CMSCsrfCookie'),
        generator('^Kentico CMS {v}?', 'Kentico CMS 6.0', 'Kentucky'),
      ],
    },
    'Optimizely CMS': {
      implies: ['ASP.NET'],
      rules: [
        generator('^EPiServer', 'EPiServer', 'Episode'),
        cookie('EPiServer_Commerce_AnonymousId'),
        cookie('EPiStateMarker'),
        path('/globalassets/', '/globalassets/images/a.jpg', '/assets/a.jpg'),
      ],
    },
    SharePoint: {
      cpe: 'microsoft:sharepoint_server',
      implies: ['ASP.NET'],
      rules: [
        header('microsoftsharepointteamservices', '^{v}', '16.0.0.5413', '-'),
        hasHeader('sprequestguid'),
        generator('^Microsoft SharePoint', 'Microsoft SharePoint', 'SharePointless'),
      ],
    },
    DotNetNuke: {
      cpe: 'dnnsoftware:dotnetnuke',
      implies: ['ASP.NET'],
      rules: [
        generator('^DotNetNuke', 'DotNetNuke ', 'DotNet'),
        cookie('.DOTNETNUKE'),
        cookie('dnn_IsMobile'),
        path('/desktopmodules/', '/DesktopModules/HTML/module.css', '/modules/a.css'),
        path('/js/dnn(?:core|\\.xml|\\.js)', '/js/dnncore.js', '/js/dynn.js'),
      ],
    },
    Orchard: {
      cpe: 'orchardcore:orchardcore',
      implies: ['ASP.NET'],
      rules: [
        generator('^Orchard', 'Orchard', 'An Orchard'),
        header('x-generator', '^Orchard', 'Orchard', 'An Orchard'),
      ],
    },
    Sitefinity: {
      cpe: 'progress:sitefinity',
      implies: ['ASP.NET'],
      rules: [generator('^Sitefinity {v}?', 'Sitefinity 14.4.8123.0 DX', 'Sitefinite')],
    },
    Contao: {
      cpe: 'contao:contao',
      implies: ['PHP'],
      rules: [generator('^Contao Open Source CMS', 'Contao Open Source CMS', 'Contao')],
    },
    Concrete: {
      cpe: 'concretecms:concrete_cms',
      implies: ['PHP'],
      rules: [
        generator('^concrete(?:5| CMS)(?: - {v})?', 'concrete5 - 8.5.2', 'concrete'),
        cookie('CONCRETE5'),
        path('^/concrete/(?:js|css)/', '/concrete/js/jquery.js', '/my/concrete/js/x.js'),
      ],
    },
    'Craft CMS': {
      cpe: 'craftcms:craft_cms',
      implies: ['PHP'],
      rules: [
        header('x-powered-by', '^Craft CMS', 'Craft CMS', 'Crafty'),
        cookie('CraftSessionId'),
        path('/cpresources/', '/cpresources/8b5f/a.js', '/resources/a.js'),
      ],
    },
    Statamic: {
      cpe: 'statamic:statamic',
      implies: ['Laravel'],
      rules: [header('x-powered-by', '^Statamic', 'Statamic', 'Static'), generator('^Statamic', 'Statamic', 'Static')],
    },
    'October CMS': {
      cpe: 'octobercms:october',
      implies: ['Laravel'],
      rules: [
        cookie('october_session'),
        path(
          '/modules/system/assets/(?:js|css)/framework',
          '/modules/system/assets/js/framework.js',
          '/modules/assets/js/x.js',
        ),
      ],
    },
    'Winter CMS': { cpe: 'wintercms:winter', implies: ['Laravel'], rules: [cookie('winter_session')] },
    ExpressionEngine: {
      cpe: 'expressionengine:expressionengine',
      implies: ['PHP'],
      rules: [cookie('exp_tracker'), cookie('exp_last_activity'), cookie('exp_csrf_token')],
    },
    MODX: {
      cpe: 'modx:modx_revolution',
      implies: ['PHP'],
      rules: [
        header('x-powered-by', '^MODX', 'MODX Revolution', 'MOD'),
        path(
          '/assets/components/(?:minishop2|ajaxform|pdotools)/',
          '/assets/components/ajaxform/js/default.js',
          '/components/a.js',
        ),
      ],
    },
    SilverStripe: {
      cpe: 'silverstripe:silverstripe',
      implies: ['PHP'],
      rules: [generator('^SilverStripe', 'SilverStripe - https://www.silverstripe.org', 'Silver')],
    },
    'CMS Made Simple': {
      cpe: 'cmsmadesimple:cms_made_simple',
      implies: ['PHP'],
      rules: [generator('^CMS Made Simple', 'CMS Made Simple - Copyright (C) 2004-2020', 'CMS'), cookie('CMSSESSID*')],
    },
    ProcessWire: {
      cpe: 'processwire:processwire',
      implies: ['PHP'],
      rules: [header('x-powered-by', '^ProcessWire CMS', 'ProcessWire CMS', 'Process')],
    },
    Bolt: { cpe: 'boltcms:bolt', implies: ['PHP'], rules: [generator('^Bolt$', 'Bolt', 'Bolted')] },
    Grav: {
      cpe: 'getgrav:grav',
      implies: ['PHP'],
      rules: [generator('^GravCMS', 'GravCMS', 'Gravity'), cookie('grav-site-*')],
    },
    Pimcore: {
      cpe: 'pimcore:pimcore',
      implies: ['PHP'],
      rules: [hasHeader('x-powered-by-pimcore'), header('x-powered-by', '^pimcore$', 'pimcore', 'pimcorex')],
    },
    'eZ Platform': {
      implies: ['Symfony'],
      rules: [
        header('x-powered-by', '^(?:eZ Platform|eZ Publish|Ibexa)', 'eZ Platform Enterprise', 'eZPass'),
        generator('^(?:eZ Platform|eZ Publish)', 'eZ Platform', 'eZ'),
      ],
    },
    Textpattern: {
      cpe: 'textpattern:textpattern',
      implies: ['PHP'],
      rules: [generator('^Textpattern CMS', 'Textpattern CMS', 'Text')],
    },
    Serendipity: {
      cpe: 's9y:serendipity',
      implies: ['PHP'],
      rules: [generator('^Serendipity(?: v\\.{v})?', 'Serendipity v.2.3.5', 'Serendip')],
    },
    b2evolution: {
      cpe: 'b2evolution:b2evolution',
      implies: ['PHP'],
      rules: [generator('^b2evolution {v}', 'b2evolution 6.11.4', 'b2')],
    },
    Dotclear: {
      cpe: 'dotclear:dotclear',
      implies: ['PHP'],
      rules: [hasHeader('x-dotclear-static-cache'), generator('^Dotclear', 'Dotclear', 'Dot')],
    },
    SPIP: {
      cpe: 'spip:spip',
      implies: ['PHP'],
      rules: [
        generator('^SPIP {v}', 'SPIP 4.1.9', 'SPIPE 1'),
        header('composed-by', '^SPIP(?: {v})?', 'SPIP 4.1.9 @ www.spip.net', 'SP'),
        hasHeader('x-spip-cache'),
      ],
    },
    Liferay: {
      cpe: 'liferay:liferay_portal',
      implies: ['Java'],
      rules: [hasHeader('liferay-portal'), cookie('GUEST_LANGUAGE_ID'), word('Liferay')],
    },
    Bitrix: {
      cpe: 'bitrix24:bitrix24',
      implies: ['PHP'],
      rules: [
        path('/bitrix/(?:js|templates|cache|panel|components)/', '/bitrix/js/main/core/core.js?16', '/bitrixx/js/a.js'),
        header('x-powered-cms', '^Bitrix Site Manager', 'Bitrix Site Manager (a1b2)', 'Bit'),
        cookie('BITRIX_SM_*'),
      ],
    },
    Magnolia: {
      cpe: 'magnolia-cms:magnolia_cms',
      implies: ['Java'],
      rules: [
        hasHeader('x-magnolia-registration'),
        path('/\\.resources/', '/.resources/site/webresources/css/a.css', '/resources/a.css'),
      ],
    },
    OpenCms: {
      cpe: 'alkacon:opencms',
      implies: ['Java'],
      rules: [header('server', 'OpenCms/{v}', 'OpenCms/11.0.2', 'OpenCMSX')],
    },
    dotCMS: {
      cpe: 'dotcms:dotcms',
      implies: ['Java'],
      rules: [
        path('^/contentasset/', '/contentAsset/image/a/b', '/contents/asset/'),
        path('^/da/[0-9a-f]{8}-', '/dA/0f5a7b3c-1/logo.png', '/da/logo.png'),
      ],
    },
    Plone: {
      cpe: 'plone:plone',
      implies: ['Python', 'Zope'],
      rules: [
        generator('^Plone -', 'Plone - https://plone.org/', 'Clone - x'),
        path('\\+\\+plone\\+\\+', '/++plone++static/plone-compiled.css', '/plone/static.css'),
      ],
    },
    'Django CMS': {
      cpe: 'django-cms:django_cms',
      implies: ['Django'],
      rules: [path('/static/cms/(?:js|css)/', '/static/cms/css/3.7.4/cms.base.css', '/static/cmsx/js/a.js')],
    },
    Wagtail: {
      cpe: 'torchbox:wagtail',
      implies: ['Django'],
      rules: [path('/static/wagtailadmin/', '/static/wagtailadmin/js/userbar.js', '/static/wag/a.js')],
    },
    Ghost: {
      cpe: 'ghost:ghost',
      implies: ['Node.js'],
      rules: [
        generator('^Ghost {v}', 'Ghost 5.54', 'Ghostly 5'),
        hasHeader('x-ghost-cache-status'),
        mark('[data-ghost]'),
        path(
          '^/assets/(?:built|css)/screen\\.css\\?v=[0-9a-f]{10}$',
          '/assets/css/screen.css?v=ec4bfbdd45',
          '/assets/css/screen.css?v=2',
        ),
        path('/public/cards\\.min\\.(?:js|css)\\?v=', '/public/cards.min.js?v=1a2b', '/public/cards.js'),
      ],
    },
    'HubSpot CMS': {
      implies: ['HubSpot'],
      rules: [
        generator('^HubSpot$', 'HubSpot', 'HubSpotter'),
        hasHeader('x-hs-hub-id'),
        hasHeader('x-hs-content-id'),
        path(
          '/hs-fs/hub/|/hs/hsstatic/|/_hcms/',
          '/hs/hsstatic/jquery-libs/static-1.1/jquery/jquery-1.7.1.js',
          '/hubfs.js',
        ),
      ],
    },
    Contentful: [
      media('images.ctfassets.net'),
      media('downloads.ctfassets.net'),
      media('videos.ctfassets.net'),
      host('cdn.contentful.com'),
    ],
    Sanity: [media('cdn.sanity.io'), host('cdn.sanity.io')],
    Prismic: [media('images.prismic.io'), host('static.cdn.prismic.io'), media('prismic-io.s3.amazonaws.com')],
    Storyblok: [media('a.storyblok.com'), media('img2.storyblok.com'), host('app.storyblok.com')],
    DatoCMS: [media('www.datocms-assets.com')],
    Strapi: {
      cpe: 'strapi:strapi',
      implies: ['Node.js'],
      rules: [header('x-powered-by', '^Strapi', 'Strapi <strapi.io>', 'Strap')],
    },
    Directus: {
      cpe: 'monospace:directus',
      implies: ['Node.js'],
      rules: [header('x-powered-by', '^Directus$', 'Directus', 'Direct')],
    },
    Hygraph: [media('media.graphassets.com'), media('media.graphcms.com')],
    'Kontent.ai': [media('assets-us-01.kc-usercontent.com'), media('assets-eu-01.kc-usercontent.com')],
    'Butter CMS': [media('cdn.buttercms.com')],
    Brightspot: [
      header('x-powered-by', '^Brightspot$', 'Brightspot', 'Bright'),
      generator('^Brightspot', 'Brightspot', 'Bright'),
    ],
    Arc: [
      hasHeader('x-arc-pb-request-id'),
      path('/pf/(?:dist|resources)/', '/pf/dist/components/combinations/default.js', '/pdf/dist/a.js'),
    ],
    Blogger: [generator('^blogger$', 'blogger', 'bloggers'), cname('ghs.google.com'), host('www.blogger.com/static')],
    Tumblr: [hasHeader('x-tumblr-user'), cname('domains.tumblr.com'), host('assets.tumblr.com')],
    Medium: [hasHeader('x-obvious-tid'), header('server', '^medium$', 'medium', 'mediums')],
    Substack: [host('substackcdn.com'), header('x-cluster', '^substack$', 'substack', 'substacks')],
    Duda: {
      implies: ['Java'],
      rules: [host('irp.cdn-website.com'), media('irp.cdn-website.com'), host('static.cdn-website.com')],
    },
  }),
  ...defineTechnologies('site builder', {
    Wix: [
      hasHeader('x-wix-request-id'),
      generator('^Wix\\.com Website Builder', 'Wix.com Website Builder', 'Wixel'),
      host('static.parastorage.com'),
      media('static.wixstatic.com'),
      cname('wixdns.net'),
    ],
    Squarespace: [
      header('server', '^Squarespace$', 'Squarespace', 'Square'),
      host('static1.squarespace.com'),
      host('assets.squarespace.com'),
      media('images.squarespace-cdn.com'),
      cname('ext-cust.squarespace.com'),
      comment('^This is Squarespace\\.', 'This is Squarespace. -->', 'This is square'),
    ],
    Webflow: [
      generator('^Webflow$', 'Webflow', 'Webflows'),
      mark('[data-wf-page]'),
      mark('[data-wf-site]'),
      host('cdn.prod.website-files.com'),
      host('uploads-ssl.webflow.com'),
      cname('proxy-ssl.webflow.com'),
    ],
    Weebly: [host('cdn2.editmysite.com'), cookie('is_mobile_weebly'), cname('weebly.com')],
    'GoDaddy Website Builder': [
      generator(
        '^(?:Starfield Technologies; )?Go Daddy Website Builder',
        'Starfield Technologies; Go Daddy Website Builder 8.0.0000',
        'GoDaddy',
      ),
      host('img1.wsimg.com'),
      media('img1.wsimg.com'),
    ],
    Jimdo: [host('assets.jimstatic.com'), cname('web.jimdo.com')],
    Strikingly: [host('static-assets.strikinglycdn.com'), cname('strikinglydns.com')],
    Tilda: [host('static.tildacdn.com'), media('static.tildacdn.com'), mark('#allrecords'), host('ws.tildacdn.com')],
    Carrd: [cname('carrd.co')],
    Framer: [
      generator('^Framer ', 'Framer 2ff7df5', 'Framework'),
      host('framerusercontent.com'),
      media('framerusercontent.com'),
    ],
    Softr: [host('assets.softr-files.com')],
    Bubble: [hasHeader('x-bubble-perf'), cname('cdn.bubble.io')],
    Unbounce: [hasHeader('x-unbounce-pageid'), cname('unbouncepages.com'), host('builder-assets.unbounce.com')],
    Leadpages: [host('static.leadpages.net'), host('js.center.io')],
    Instapage: [host('heatmap-events-collector.instapage.com'), cname('pageserve.co'), host('g.instapage.com')],
    ClickFunnels: [host('app.clickfunnels.com'), cname('clickfunnels.com')],
    Kajabi: [host('kajabi-app-assets.kajabi-cdn.com'), cookie('_kjb_session')],
    Thinkific: [host('assets.thinkific.com')],
    Teachable: [host('fedora.teachablecdn.com'), host('assets.teachablecdn.com')],
    Podia: [host('cdn.podia.com')],
    Zyro: [host('assets.zyrosite.com'), media('assets.zyrosite.com')],
    Mobirise: [generator('^Mobirise v{v}', 'Mobirise v5.6.0, mobirise.com', 'Mobiriser')],
    'Microsoft FrontPage': [generator('^Microsoft FrontPage {v}', 'Microsoft FrontPage 6.0', 'FrontPages')],
    'Google Sites': [host('ssl.gstatic.com/atari')],
    Ucraft: [host('static.ucraft.net')],
    Webnode: [generator('^Webnode', 'Webnode 2', 'Web node')],
    Notion: [cname('external.notion.site')],
    Super: [cname('cname.super.so'), host('assets.super.so')],
  }),
  ...defineTechnologies('static site generator', {
    Hugo: { cpe: 'gohugo:hugo', rules: [generator('^Hugo {v}', 'Hugo 0.111.3', 'Hugo Boss')] },
    Jekyll: {
      cpe: 'jekyllrb:jekyll',
      rules: [
        generator('^Jekyll v?{v}', 'Jekyll v4.2.0', 'Dr Jekyll'),
        comment('^Begin Jekyll SEO tag v?{v}?', 'Begin Jekyll SEO tag v2.8.0', 'Jekyll and Hyde'),
      ],
    },
    Gatsby: {
      cpe: 'gatsbyjs:gatsby',
      implies: ['React'],
      rules: [
        generator('^Gatsby {v}', 'Gatsby 2.22.9', 'The Great Gatsby'),
        mark('#___gatsby'),
        mark('#gatsby-focus-wrapper'),
      ],
    },
    Hexo: { rules: [generator('^Hexo {v}', 'Hexo 6.3.0', 'Hexonet')] },
    Eleventy: { rules: [generator('^Eleventy v?{v}', 'Eleventy v2.0.1', 'Eleven')] },
    Pelican: [generator('^Pelican$', 'Pelican', 'Pelicans')],
    Nikola: [generator('^Nikola \\(getnikola\\.com\\)', 'Nikola (getnikola.com)', 'Nikola Tesla')],
    Astro: {
      cpe: 'withastro:astro',
      rules: [generator('^Astro v{v}', 'Astro v4.5.1', 'Astronomy'), mark('<astro-island>')],
    },
    Publii: [generator('^Publii Open-Source CMS', 'Publii Open-Source CMS for Static Site', 'Public')],
    Zola: [generator('^Zola', 'Zola', 'Emile Zola')],
    Gridsome: { implies: ['Vue.js'], rules: [generator('^Gridsome v{v}', 'Gridsome v0.7.23', 'Grid')] },
    VuePress: { implies: ['Vue.js'], rules: [generator('^VuePress(?: {v})?', 'VuePress 1.9.7', 'Vue')] },
    VitePress: { implies: ['Vue.js'], rules: [generator('^VitePress v{v}', 'VitePress v1.0.0', 'Vite')] },
    Octopress: [generator('^Octopress', 'Octopress', 'Octopus')],
    Middleman: [generator('^Middleman', 'Middleman', 'Muddleman')],
    Frontity: { implies: ['WordPress', 'React'], rules: [generator('^Frontity {v}', 'Frontity 1.17.2', 'Front')] },
    Quarto: [generator('^quarto-{v}', 'quarto-1.3.450', 'quartz')],
  }),
  ...defineTechnologies('documentation', {
    Docusaurus: {
      implies: ['React'],
      rules: [generator('^Docusaurus v{v}', 'Docusaurus v2.4.1', 'Saurus'), mark('#__docusaurus')],
    },
    Sphinx: {
      implies: ['Python'],
      rules: [
        path(
          '/_static/(?:doctools|documentation_options|sphinx_highlight)\\.js',
          '/_static/doctools.js',
          '/static/doctools.js',
        ),
      ],
    },
    MkDocs: {
      implies: ['Python'],
      rules: [generator('^mkdocs-{v}', 'mkdocs-1.4.2, mkdocs-material-9.0.6', 'docs-1.4.2')],
    },
    'Material for MkDocs': {
      implies: ['MkDocs'],
      rules: [generator('mkdocs-material-{v}', 'mkdocs-1.4.2, mkdocs-material-9.0.6', 'mkdocs-1.4.2')],
    },
    Docsify: [path('/npm/docsify(?:@{v})?/', '/npm/docsify@4.13.0/lib/docsify.min.js', '/npm/docsifyx/a.js')],
    GitBook: [
      generator('^GitBook(?: {v})?(?: |$)', 'GitBook 3.2.3', 'GitBooks'),
      host('assets.gitbook.com'),
      cname('hosting.gitbook.io'),
    ],
    ReadMe: [meta('readme-deploy', '^{v}', '5.40.0', '-'), host('cdn.readme.io')],
    Mintlify: [generator('^Mintlify$', 'Mintlify', 'Mint'), cname('cname.mintlify.app')],
    'Swagger UI': {
      cpe: 'smartbear:swagger_ui',
      rules: [
        path(
          'swagger-ui(?:-bundle|-standalone-preset)?(?:\\.min)?\\.js',
          '/docs/swagger-ui-bundle.js',
          '/docs/swagger.js',
        ),
        mark('#swagger-ui'),
      ],
    },
    ReDoc: [path('redoc\\.standalone\\.js', '/redoc/latest/bundles/redoc.standalone.js', '/redoc.js')],
    Javadoc: [generator('^javadoc/{v}', 'javadoc/17.0.2', 'java')],
    Doxygen: { cpe: 'doxygen:doxygen', rules: [generator('^Doxygen {v}', 'Doxygen 1.9.4', 'Oxygen')] },
  }),
  ...defineTechnologies('wiki', {
    MediaWiki: {
      cpe: 'mediawiki:mediawiki',
      implies: ['PHP'],
      rules: [
        generator('^MediaWiki {v}', 'MediaWiki 1.41.0-wmf.5', 'MyMediaWiki'),
        path(
          '/load\\.php\\?[^ ]{0,200}modules=startup',
          '/w/load.php?lang=en&modules=startup&only=scripts',
          '/load.php?x=1',
        ),
      ],
    },
    DokuWiki: {
      cpe: 'dokuwiki:dokuwiki',
      implies: ['PHP'],
      rules: [
        generator('^DokuWiki', 'DokuWiki', 'Sudoku'),
        cookie('DokuWiki'),
        path('/lib/exe/(?:css|js)\\.php', '/lib/exe/js.php?tseed=1', '/lib/exec/js.php'),
      ],
    },
    Confluence: {
      cpe: 'atlassian:confluence_server',
      implies: ['Java'],
      rules: [
        hasHeader('x-confluence-request-time'),
        hasHeader('x-confluence-cluster-node'),
        meta('confluence-request-time', '^\\d', '1700000000000', '-'),
      ],
    },
    XWiki: {
      cpe: 'xwiki:xwiki',
      implies: ['Java'],
      rules: [mark('[data-xwiki-reference]'), mark('#xwikicontent'), meta('wiki', '^xwiki$', 'xwiki', 'wiki')],
    },
    TWiki: { cpe: 'twiki:twiki', implies: ['Perl'], rules: [cookie('TWIKISID')] },
    Foswiki: {
      cpe: 'foswiki:foswiki',
      implies: ['Perl'],
      rules: [hasHeader('x-foswikiaction'), hasHeader('x-foswikiuri'), cookie('FOSWIKISTRIKEONE')],
    },
    'Wiki.js': {
      cpe: 'requarks:wiki.js',
      implies: ['Node.js'],
      rules: [path('/_assets/js/app\\.js\\?\\d', '/_assets/js/app.js?1600000000', '/assets/js/app.js?1')],
    },
    BookStack: { cpe: 'bookstackapp:bookstack', implies: ['Laravel'], rules: [cookie('bookstack_session')] },
  }),
  ...defineTechnologies('forum', {
    phpBB: {
      cpe: 'phpbb:phpbb',
      implies: ['PHP'],
      rules: [
        cookie('phpbb3_*'),
        mark('#phpbb'),
        path('/styles/prosilver/', '/styles/prosilver/theme/stylesheet.css', '/styles/silver/a.css'),
      ],
    },
    vBulletin: {
      cpe: 'vbulletin:vbulletin',
      implies: ['PHP'],
      rules: [
        generator('^vBulletin {v}', 'vBulletin 4.2.2', 'Bulletin'),
        cookie('bblastvisit'),
        cookie('bblastactivity'),
      ],
    },
    XenForo: {
      cpe: 'xenforo:xenforo',
      implies: ['PHP'],
      rules: [
        mark('#XF'),
        cookie('xf_csrf'),
        cookie('xf_session'),
        path('/js/xf/', '/js/xf/core-compiled.js?_v=1', '/js/xfx/a.js'),
      ],
    },
    Discourse: {
      cpe: 'discourse:discourse',
      implies: ['Ruby on Rails', 'Ember.js'],
      rules: [
        generator(
          '^Discourse {v}',
          'Discourse 3.2.0.beta2 - https://github.com/discourse/discourse version abc',
          'Discourses',
        ),
        hasHeader('x-discourse-route'),
        meta('discourse_theme_id', '^\\d', '2', '-'),
      ],
    },
    Flarum: { cpe: 'flarum:flarum', implies: ['PHP'], rules: [cookie('flarum_session'), mark('#flarum-loading')] },
    MyBB: { cpe: 'mybb:mybb', implies: ['PHP'], rules: [cookie('mybb[lastvisit]'), cookie('mybb[lastactive]')] },
    'Simple Machines Forum': {
      cpe: 'simplemachines:simple_machines_forum',
      implies: ['PHP'],
      rules: [word('smf_scripturl'), word('smf_theme_url')],
    },
    'Invision Community': {
      implies: ['PHP'],
      rules: [cookie('ips4_IPSSessionFront'), mark('[data-ips-hook]'), word('ipsSettings')],
    },
    NodeBB: {
      cpe: 'nodebb:nodebb',
      implies: ['Node.js'],
      rules: [header('x-powered-by', '^NodeBB$', 'NodeBB', 'Node')],
    },
    Vanilla: { cpe: 'vanillaforums:vanilla', implies: ['PHP'], rules: [hasHeader('x-garden-version')] },
    punBB: { cpe: 'punbb:punbb', implies: ['PHP'], rules: [cookie('punbb_cookie')] },
    FluxBB: { cpe: 'fluxbb:fluxbb', implies: ['PHP'], rules: [mark('#punindex')] },
  }),
  ...defineTechnologies('CMS', {
    Moodle: {
      cpe: 'moodle:moodle',
      implies: ['PHP'],
      rules: [
        cookie('MoodleSession'),
        cookie('MoodleSession*'),
        path(
          '/theme/yui_combo\\.php|/lib/requirejs\\.php',
          '/lib/requirejs.php/1600000000/core/first.js',
          '/lib/require.js',
        ),
      ],
    },
  }),
];
