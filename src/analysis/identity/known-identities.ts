/** What no data says: facts about vendors and products, each with its reason. Names are `vendor:product` of CPE. */

export interface KnownIdentity {
  pairs: readonly string[];
  reason: string;
}

/** One product under several CPE names. */
export const SAME_PRODUCTS: readonly KnownIdentity[] = rowsOf(`
vbulletin:vbulletin jelsoft:vbulletin | Jelsoft made vBulletin until 2009
magento:magento magentocommerce:magento magentocommerc:magento adobe:magento adobe:magento_open_source adobe:magento_commerce magento:magento2 | Adobe bought Magento in 2018 and renamed its editions
varnish-cache:varnish varnish-cache:varnish_cache varnish_cache_project:varnish_cache varnish.projects.linpro:varnish varnish-software:varnish_cache | Varnish Cache was begun at Linpro and has been released by Varnish Software
mortbay:jetty mortbay_jetty:jetty eclipse:jetty jetty:jetty jetty:jetty_http_server | Jetty moved from Mort Bay to Eclipse in 2009
squid-cache:squid squid:squid squid:squid_web_proxy squid:squid_web_proxy_cache national_science_foundation:squid_web_proxy national_science_foundation:squid_web_proxy_cache | the Squid web proxy, first funded by the NSF
tinymce:tinymce tiny:tinymce tiny.cloud:tinymce moxiecode:tinymce | Moxiecode, the maker of TinyMCE, is called Tiny now
sun:mysql mysql:mysql oracle:mysql | MySQL AB was bought by Sun in 2008, Sun by Oracle in 2010
sun:jdk oracle:jdk hp:jdk | Oracle bought Sun in 2010
sun:jre oracle:jre hp:jre | Oracle bought Sun in 2010
macromedia:coldfusion adobe:coldfusion allaire:coldfusion | Allaire, Macromedia and Adobe followed each other
macromedia:flash_player adobe:flash_player | Adobe bought Macromedia in 2005
bea:weblogic_server bea_systems:weblogic_server oracle:weblogic_server | Oracle bought BEA in 2008
vmware:spring_framework pivotal_software:spring_framework springsource:spring_framework pivotal:spring_framework | SpringSource, Pivotal and VMware followed each other
hudson-ci:hudson eclipse:hudson oracle:hudson | Hudson moved from Oracle to Eclipse in 2011
elasticsearch:elasticsearch elastic:elasticsearch | the company is called Elastic since 2015
elasticsearch:kibana elastic:kibana | the company is called Elastic since 2015
redislabs:redis redis:redis pivotal_software:redis | Redis was sponsored by Pivotal, then by Redis Labs
puppetlabs:puppet puppet:puppet reductivelabs:puppet | Reductive Labs, Puppet Labs and Puppet are one company
ruby-lang:ruby yukihiro_matsumoto:ruby | Matsumoto is its author
perl:perl larry_wall:perl | Wall is its author
sendmail:sendmail eric_allman:sendmail | Allman is its author
dovecot:dovecot timo_sirainen:dovecot | Sirainen is its author
haxx:curl daniel_stenberg:curl | Stenberg is its author
punbb:punbb rickard_andersson:punbb | Andersson is its author
menalto:gallery bharat_mediratta:gallery gallery_project:gallery | Mediratta is its author, Menalto its site
thekelleys:dnsmasq dnsmasq:dnsmasq | written by Simon Kelley
libreoffice:libreoffice the_document_foundation:libreoffice thedocumentfoundation:libreoffice | The Document Foundation makes it
linuxfoundation:harbor cncf:harbor goharbor:harbor | the CNCF belongs to the Linux Foundation
sun:openjdk oracle:openjdk | Oracle bought Sun in 2010
macromedia:shockwave adobe:shockwave | Adobe bought Macromedia in 2005
owncloud:owncloud owncloud:owncloud_server kiteworks:owncloud | Kiteworks bought ownCloud in 2023
vmware:spring_framework spring_by_vmware_tanzu:spring_framework | a name of VMware in CVE records
polkit_project:polkit red_hat:polkit | Red Hat maintained it
openjsf:express expressjs:express express:express | Express belongs to the OpenJS Foundation
fckeditor:fckeditor frederico_caldeira_knabben:fckeditor | Knabben is its author
ckeditor:ckeditor cksource:ckeditor | CKSource makes it
typo3:typo3 typo3_association:typo3 typo3_group:typo3 | the TYPO3 association
phplist:phplist tincan:phplist paul_beaney:phplist | Tincan made it
autodesk:autocad_advance_steel autodesk:advance_steel | AutoCAD's version for steel construction
progress:moveit_transfer ipswitch:moveit_transfer ipswitch:moveit_dmz ipswitch:moveit_transfer_2017 | MOVEit DMZ was renamed in 2017; Progress bought Ipswitch in 2019
progress:whatsup_gold ipswitch:whatsup_gold ipswitch:whatsup | Progress bought Ipswitch in 2019
python:python python:cpython python_software_foundation:cpython | CPython is the reference implementation
splunk:splunk splunk:splunk_enterprise | Splunk was renamed Splunk Enterprise
hashicorp:vault hashicorp:vault_enterprise hashicorp:vault_community_edition | its editions
sap:businessobjects_business_intelligence_platform sap:businessobjects_business_intelligence sap:business_intelligence_platform | short names of it
concretecms:concrete_cms concrete5:concrete5 concrete5:concrete concrete5-legacy_project:concrete5-legacy | concrete5 was renamed Concrete CMS in 2021
sap:hana sap:hana_database sap:hana_db | HANA is a database
videolan:vlc_media_player videolan:vlc | its short name
microsoft:internet_explorer microsoft:ie | its short name
apple:macos apple:mac_os_x | Mac OS X was renamed OS X in 2012, macOS in 2016
max_feoktistov:small_http_server smallsrv:small_http_server | Feoktistov is its author
bsdi:bsd_os windriver:bsdos | Wind River bought BSD/OS in 2001
crushftp:crushftp ben_spink:crushftp_ftp_server | Spink is its author
mikrotik:routeros microtik:routeros | a misspelling of MikroTik
vmware:vcenter_server vmware:vcenter | its short name
synacor:zimbra_collaboration_suite synacor:zimbra_collaboration_server zimbra:collaboration zimbra:collaboration_server zimbra:zimbra zimbra:zimbra_collaboration_server | Synacor bought Zimbra in 2015
artifex:ghostscript artifex:gpl_ghostscript | the GPL edition
linux:linux_kernel linux:linux | its name in records of the kernel's CNA
microsoft:java_virtual_machine microsoft:virtual_machine | Microsoft VM was its name
nextcloud:nextcloud_server nextcloud:nextcloud | the server is what is called Nextcloud
openvpn:openvpn openvpn:openvpn2 | its second version
angularjs:angular.js angularjs:angular :angular | AngularJS; Angular from version 2 on has packages of other names
roundcube:webmail roundcube:roundcube | Roundcube is a webmail client
f5:big-ip_access_policy_manager f5:big-ip_apm | APM is its short name
tms-outsource:amelia wpamelia:amelia | TMS makes it
mantisbt:mantisbt mantis:mantis matisbt:mantis | MantisBT is short for Mantis Bug Tracker
fuse:fuse miklos_szeredi:fuse libfuse_project:libfuse | Szeredi is its author, libfuse its library
linux-nfs:nfs-utils redhat:nfs_utils | the package of Red Hat
sun:solaris oracle:solaris | Oracle bought Sun in 2010
veritas:netbackup symantec_veritas:netbackup | Symantec owned Veritas from 2005 to 2016
microsoft:windows_server_2003 microsoft:windows_2003_server | one release
notepad-plus-plus:notepad++ notepad++:notepad++ don_ho:notepad++ | Ho is its author
snapcreek:duplicator awesomemotive:duplicator | Awesome Motive bought it
cesanta:mongoose cesanta:mongoose_embedded_web_server_library sergey_lyubka:mongoose valenok:mongoose | Lyubka, once under the name Valenok, is its author
foxitsoftware:foxit_reader foxitsoftware:pdf_reader foxit:pdf_reader foxit:reader3.0 | Foxit Reader was renamed PDF Reader in 2021
arubanetworks:arubaos hp:arubaos hpe:arubaos | HP bought Aruba in 2015
opera:opera_browser opera:opera opera_software:opera_web_browser opera_software:opera | the browser of Opera Software
kaseya:vsa kaseya:virtual_system_administrator kaseya:vsa_server | VSA is short for its long name
sixapart:movable_type movabletype:six_apart_movable_type | Six Apart makes it
saltstack:salt saltstack:saltstack | the company is called as the product
atlassian:confluence atlassian:confluence_server atlassian:confluence_data_center | Atlassian's CVEs name its editions
qualiteam:x-cart qtmsoft:x-cart x-cart:x-cart | Qualiteam makes it, QTMsoft was its seller
adobe:bridge adobe:bridge_cc | its name while it belonged to Creative Cloud
opensuse:leap novell:opensuse_leap suse:opensuse_leap | openSUSE is a project of SUSE, which was Novell's
redhat:ansible_tower ansible:tower | Red Hat bought Ansible in 2015
oracle:glassfish_server oracle:sun_glassfish_enterprise_server eclipse_foundation:glassfish | Sun's, then Oracle's, at Eclipse since 2018
citrix:application_delivery_controller citrix:application_delivery_controller_firmware citrix:netscaler_application_delivery_controller citrix:netscaler_application_delivery_controller_firmware | NetScaler ADC was called Citrix ADC from 2018 to 2022
kingsoft:wps_office ksosoft:wps_office wps:wps_office | names of Kingsoft
xen:xen citrix:xen | Citrix led the project until 2013
wireshark:wireshark ethereal_group:ethereal ethereal:ethereal | Ethereal was renamed Wireshark in 2006
canonical:ubuntu_linux ubuntu:ubuntu_linux canonical:ubuntu ubuntu:ubuntu ubuntu:linux | Canonical makes it
adobe:acrobat_reader adobe:reader adobe:adobe_reader adobe:reader_xi | Acrobat Reader was called Adobe Reader from 2003 to 2015
adobe:flash_player adobe:flash | the player is what runs Flash
microsoft:internet_information_services microsoft:internet_information_server | IIS is called Services since version 5
isc:bind isc:bind_9 | version 9 is the one in use
pulsesecure:pulse_connect_secure ivanti:connect_secure juniper:pulse_connect_secure pulse_secure:pulse_connect_secure | Juniper sold it to Pulse Secure, which Ivanti bought in 2020
redhat:keycloak redhat:jboss_keycloak redhat:build_keycloak | Red Hat began the project and builds it
microsoft:sharepoint_server microsoft:office_sharepoint_server | its name in 2007
mcafee:endpoint_security trellix:endpoint_security | McAfee's business products are Trellix since 2022
microfocus:content_manager hp:content_manager | HP's software went to Micro Focus in 2017
chadhaajay:phpkb knowledgebase-script:phpkb chadha_software_technologies:phpkb_knowledge_base | Chadha Software makes it
sonatype:nexus_repository_manager sonatype:nexus sonatype:nexus_repository_manager_3 | its short name, and its version 3
ibm:domino ibm:lotus_domino lotus:domino ibm:lotus_domino_server lotus:domino_server hcltech:domino | Lotus made it, IBM owned it from 1995 to 2019, then HCL
parallels:parallels_plesk_panel parallels:plesk plesk:plesk plesk:obsidian swsoft:plesk swsoft:plesk_control_panel | SWsoft became Parallels, which sold Plesk
jenkins:jenkins :org.jenkins-ci.main:jenkins-core | the package of its main program
juniper:junos juniper:junos_os juniper_networks:junos_os | Junos is the short name of Junos OS
mybb:mybb mybulletinboard:mybulletinboard mybboard:mybb | MyBB is short for MyBulletinBoard
microsoft:outlook microsoft:office_outlook | Outlook as a part of Office
jasper_project:jasper jasper_jpeg-2000:jasper_jpeg-2000 | the JPEG-2000 library
apache:openoffice apache:openoffice.org openoffice:openoffice openoffice:openoffice.org sun:openoffice.org | Sun's, at Apache since 2011
vmware:esx vmware:esx_server vmware:vmware_esx | ESX Server was renamed ESX
solarwinds:serv-u solarwinds:serv-u_file_server solarwinds:serv-u_ftp_server solarwinds:serv-u_mft_server solarwinds:serv-u_managed_file_transfer rhinosoft:serv-u cat_soft:serv-u deerfield:serv-u_ftp-server deerfield:ftp_serv-u | Cat Soft, Rhino Software and SolarWinds followed each other; Deerfield sold it
woocommerce:woocommerce woothemes:woocommerce automattic:woocommerce | WooThemes made it, Automattic bought it in 2015
sendmail:sendmail hp:sendmail redhat:sendmail | the one that HP-UX and Red Hat ship
wordpress:wordpress wordpress:wordpress-develop | its repository
redhat:wildfly wildfly:wildfly | Red Hat's application server, called JBoss AS before
qemu:qemu fabrice_bellard:qemu xen:qemu | Bellard is its author
joomla:com_comprofiler mambo:com_comprofiler joomla:com_comprofiler_component | Community Builder, for both of them
`);

/** Products of one name that are not one product, although some data would join them: the first is kept apart from each of the others. */
export const DIFFERENT_PRODUCTS: readonly KnownIdentity[] = rowsOf(`
gofiber:django djangoproject:django | a template engine of Go
varnish_http_accelerator_integration_project:varnish varnish-cache:varnish varnish.projects.linpro:varnish | a module of Drupal
ingo_renner:apache_solr apache:solr | an extension of TYPO3
ibm:http_server apache:http_server | a product of IBM, made from that of Apache
monocms:monocms mono:mono mono-project:mono | a content management system
mysql_project:mysql mysql:mysql oracle:mysql | a client library
openmage:magento magento:magento adobe:magento | a fork with versions of its own
jenkins:git git:git git-scm:git | a plugin of Jenkins
heimdalsecurity:heimdal heimdal_project:heimdal heimdal:heimdal kth:heimdal | a security service; the others are the Kerberos of KTH
redhat:fuse fuse:fuse fuse_project:fuse debian:fuse | a product of middleware; the others are the file system
php:memcached memcached:memcached memcachedb:memcached | its extension of PHP
curl_project:curl haxx:curl curl:curl daniel_stenberg:curl | a gem of Ruby
`);

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
  { name: 'weblogic', pair: 'oracle:weblogic_server', reason: 'its usual short name' },
  { name: 'angularjs', pair: 'angularjs:angular.js', reason: 'written without the dot' },
  { name: 'sharepoint', pair: 'microsoft:sharepoint_server', reason: 'its usual short name' },
];

/** Lines of names, then `|` and the reason. */
function rowsOf(table: string): KnownIdentity[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pairs = '', reason = ''] = line.split(' | ');
      return { pairs: pairs.split(' '), reason };
    });
}
