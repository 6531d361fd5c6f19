import { sampledProducts } from './sampled-product.ts';

/** Half A of the sampled products. */
export const SAMPLED_A = sampledProducts(`
com_comprofiler | joomla:com_comprofiler | mambo:com_comprofiler joomla:com_comprofiler_component | | joomla:com_profile
oncommand_insight | netapp:oncommand_insight | | |
oracle9i | oracle:oracle9i | | oracle:database_9i oracle:database_server oracle:database |
Veeam Backup & Replication | veeam:backup_&_replication | veeam:backup_and_replication veeam:veeam_backup_&_replication | veeam:veeam | veeam:one
containerd | linuxfoundation:containerd | :github.com/containerd/containerd | :github.com/containerd/containerd/v2 | containerd:imgcrypt
tensorflow | google:tensorflow | tensorflow:tensorflow :tensorflow | :tensorflow-cpu |
opera_browser | opera:opera_browser | opera:opera opera_software:opera_web_browser opera_software:opera | |
air_sdk | adobe:air_sdk | adobe:adobe_air_sdk | adobe:air_sdk_&_compiler adobe:adobe_air_sdk_and_compiler adobe:air_sdk_and_compiler | air-sdk_project:air-sdk
Kaseya VSA | kaseya:vsa | kaseya:virtual_system_administrator kaseya:vsa_server | kaseya:vsa_agent | kaseya:traverse
dnsmasq | thekelleys:dnsmasq | dnsmasq:dnsmasq the_kelleys:dnsmasq | |
oboshop | onelook:oboshop | | |
movable_type | sixapart:movable_type | six_apart:movable_type sixapart:movabletype movabletype:movable_type six_apart_ltd:movable_type movabletype:six_apart_movable_type | sixapart:movable_type_open_source movabletype:movable_type_open_source movabletype:movable_type_pro movabletype:movable_type_enterprise movabletype:movable_type_advanced movabletype:movable_type_premium |
SaltStack | saltstack:salt | saltstack:saltstack saltstack:salt_2015 saltstack:salt_2018 saltstack:salt_2019 :salt | | jenkins:saltstack
snare_epilog | intersect_alliance:snare_epilog | | |
Confluence | atlassian:confluence | atlassian:confluence_server atlassian:confluence_data_center | | atlassian:questions_for_confluence jenkins:confluence_publisher confluence:snotify
x-cart | qualiteam:x-cart | qtmsoft:x-cart x-cart:x-cart | |
bridge | adobe:bridge | adobe:bridge_cc | | edwiser:bridge lg:bridge nuki:bridge qodeinteractive:bridge
iplanet_messaging_server_messenger_express | sun:iplanet_messaging_server_messenger_express | | | sun:iplanet_messaging_server
jdk | oracle:jdk | sun:jdk hp:jdk | oracle:java_se |
leap | opensuse:leap | opensuse_project:leap novell:leap novell:opensuse_leap suse:opensuse_leap | opensuse:opensuse | gowondesigns:leap cisco:leap opensuse:leap_micro
fedora | fedoraproject:fedora | redhat:fedora | fedoraproject:fedora_core fedora_project:fedora_release_rawhide redhat:fedora_core | fedoraproject:python-fedora
Ansible Tower | redhat:ansible_tower | ansible:tower | redhat:ansible_automation_platform | jenkins:ansible_tower redhat:ansible
GlassFish | oracle:glassfish_server | oracle:sun_glassfish_enterprise_server eclipse_foundation:glassfish | | oracle:glassfish_communications_server
e-series_santricity_os_controller | netapp:e-series_santricity_os_controller | netap:e-series_santricity_os_controller | |
ip | fedorindutny:ip | :ip | | thuraya_telecommunications:ip
big-ip_link_controller | f5:big-ip_link_controller | | | f5:big-ip f5:big-ip_local_traffic_manager
Citrix ADC | citrix:netscaler_application_delivery_controller_firmware | citrix:netscaler_application_delivery_controller citrix:application_delivery_controller_firmware citrix:application_delivery_controller | citrix:netscaler citrix:netscaler_firmware | f5:big-iq_application_delivery_controller pulsesecure:pulse_secure_virtual_application_delivery_controller
ytnef | ytnef_project:ytnef | | |
wps_office | kingsoft:wps_office | ksosoft:wps_office wps:wps_office | |
performa | bd:performa | | |
xfree86 | xfree86_project:xfree86 | x.org:xfree86 xfree86:xfree86 | xfree86_project:xfree86_x xfree86_project:xfree86_x_server | xfree86_project:xfree86-misc
Puppet | puppet:puppet | puppetlabs:puppet reductivelabs:puppet | | puppet:puppet_enterprise puppet:puppetdb puppet:puppet_agent
xen | xen:xen | citrix:xen xensource_inc:xen xensource:xen | |
wordpress | wordpress:wordpress | wordpress_foundation:wordpress wordpress:wordpress-develop | | wordpress:wordpress_mu feedwordpress_project:feedwordpress wordpress:import_export_wordpress_users
Wireshark | wireshark:wireshark | ethereal_group:ethereal | |
phplist | phplist:phplist | tincan:phplist paul_beaney:phplist | | phplist_integration_project:phplist_integration phplister:phplister
phantompdf | foxitsoftware:phantompdf | foxit:phantompdf | |
tor | torproject:tor | tor:tor tor_project:tor | debian:tor | torproject:tor_browser
ubuntu_linux | canonical:ubuntu_linux | ubuntu:ubuntu_linux canonical:ubuntu ubuntu:linux ubuntu:ubuntu | | ubuntu:linux_kernel
safari | apple:safari | | apple:mobile_safari | safari_browser_project:safari_browser
search_everything | zemanta:search_everything | search_everything_project:search_everything | |
php | php:php | php_group:php | | zend:engine
windows_server_2019 | microsoft:windows_server_2019 | | |
buy_tickets | awesomeseating:buy_tickets | | |
sudo | todd_miller:sudo | sudo_project:sudo sudo:sudo | |
psi+ | psi-plus:psi+ | | | psi-im:psi
adobe_reader | adobe:acrobat_reader | adobe:reader adobe:adobe_reader adobe:reader_xi | adobe:acrobat_reader_dc adobe:acrobat_reader_2017 | foxitsoftware:reader foxit:reader adobe:acrobat
vim | vim:vim | vim_development_group:vim | vim:gvim | jetbrains:vim vim_project:vim vim:zipplugin.vim vim:tar.vim
flash_player | adobe:flash_player | macromedia:flash_player adobe:flash | adobe:flash_player_desktop_runtime adobe:flash_player_for_android adobe:flash_player_for_linux adobe:flash_player_extended_support_release | gnu:gnash gnu:flash_player adobe:flash_player_installer
FortiOS | fortinet:fortios | | | fortinet:fortigate
IIS | microsoft:internet_information_services | microsoft:internet_information_server | |
Postfix | postfix:postfix | wietse_venema:postfix | | postfix_admin_project:postfix_admin postfixadmin_project:postfixadmin
BIND 9 | isc:bind | isc:bind_9 | |
log4j2 | apache:log4j | apache_software_foundation:apache_log4j2 :org.apache.logging.log4j:log4j-core | :log4j:log4j | log4js_project:log4js amazon:log4jhotpatch
Pulse Connect Secure | pulsesecure:pulse_connect_secure | ivanti:connect_secure juniper:pulse_connect_secure pulse_secure:pulse_connect_secure | | cisco:anyconnect_secure_mobility_client
Keycloak | redhat:keycloak | keycloak:keycloak redhat:jboss_keycloak redhat:build_keycloak | :org.keycloak:keycloak-core :org.keycloak:keycloak-services :org.keycloak:keycloak-parent | jenkins:keycloak_authentication redhat:keycloak_operator hypr:keycloak_authenticator
creative_cloud | adobe:creative_cloud | | adobe:creative_cloud_desktop_application |
vehicle_service_management_system | vehicle_service_management_system_project:vehicle_service_management_system | sourcecodester:vehicle_service_management_system | |
SharePoint | microsoft:sharepoint_server | microsoft:sharepoint_server_2010 microsoft:office_sharepoint_server | microsoft:sharepoint_enterprise_server microsoft:sharepoint_enterprise_server_2016 microsoft:sharepoint_enterprise_server_2013 microsoft:sharepoint_portal_server microsoft:sharepoint_foundation microsoft:sharepoint_services | microsoft:sharepoint_designer microsoft:sharepoint_workspace
xine-lib | xine:xine-lib | xinehq:xine_lib | | xine:xine
news-script | feindt_computerservice:news-script | | | stefan_ernst:newsscript newsscript.co.uk:newsscript nune:news_script
nginx | f5:nginx | nginx:nginx | | f5:nginx_controller f5:nginx_plus f5:nginx_ingress_controller nginxui:nginx_ui nginxproxymanager:nginx_proxy_manager spnego_http_authentication_module_project:spnego_http_authentication_module
endpoint_security | mcafee:endpoint_security | trellix:endpoint_security | | stormshield:endpoint_security checkpoint:endpoint_security eset:endpoint_security sophos:endpoint_security seqrite:end_point_security elastic:endpoint_security ivanti:endpoint_security kaspersky:endpoint_security
enterprise_linux_server | redhat:enterprise_linux_server | | redhat:enterprise_linux redhat:linux_server redhat:enterprise_linux_server_from_rhui | redhat:linux
phpkb | chadhaajay:phpkb | knowledgebase-script:phpkb chadha_software_technologies:phpkb_knowledge_base | |
featured_comments | pippinsplugins:featured_comments | featured_comments_plugin_project:featured_comments | |
suse_linux_enterprise_desktop | novell:suse_linux_enterprise_desktop | suse:suse_linux_enterprise_desktop opensuse_project:suse_linux_enterprise_desktop suse:linux_enterprise_desktop | | novell:suse_linux novell:linux_desktop
Nexus Repository | sonatype:nexus_repository_manager | sonatype:nexus sonatype:nexus_repository_manager_3 | | jamesparkninja:nexus dell:repository_manager
lha | tsugio_okamoto:lha | redhat:lha | |
Lotus Domino | ibm:lotus_domino | ibm:domino lotus:domino ibm:lotus_domino_server hcltech:domino lotus:domino_server | lotus:domino_r5_server ibm:lotus_domino_enterprise_server ibm:lotus_domino_r5 lotus:domino_enterprise_server ibm:lotus_domino_web_server | ibm:domino_web_access ibm:lotus_domino_web_access
sharepoint_designer | microsoft:sharepoint_designer | | |
ActiveMQ | apache:activemq | | | apache:activemq_artemis apache:activemq_apollo
libjpeg-turbo | libjpeg-turbo:libjpeg-turbo | d.r.commander:libjpeg-turbo | |
man.sh | sysadmin_magazine:man.sh | | |
opencart | opencart:opencart | simple_machines:opencart | |
chrome | google:chrome | | | 360:chrome techland:chrome google:chrome_os google:chrome-launcher google:chrome_frame
razer_central | razer:razer_central | | |
PowerDNS Recursor | powerdns:recursor | powerdns:powerdns_recursor | | powerdns:authoritative powerdns:dnsdist
samsung_mobile | samsung:samsung_mobile | | samsung:mobile samsung:samsung_mobile_devices samsung_mobile:samsung_mobile_devices |
infosphere_master_data_management_collaboration_server | ibm:infosphere_master_data_management_collaboration_server | | | ibm:infosphere_master_data_management
autocad | autodesk:autocad | | | autodesk:autocad_lt autodesk:autocad_electrical autodesk:autocad_mechanical autodesk:autocad_architecture
content_manager | microfocus:content_manager | hp:content_manager | | oracle:content_manager ibm:content_manager
Plesk | parallels:parallels_plesk_panel | swsoft:plesk parallels:plesk plesk:plesk swsoft:plesk_control_panel plesk:obsidian | plesk:plesk_server_administrator | parallels:parallels_plesk_small_business_panel acronis:backup_extension_for_plesk swsoft:plesk_reload
jbpm | redhat:jbpm | jboss:jbpm | |
PAN-OS | paloaltonetworks:pan-os | palo_alto_networks:pan-os | |
jenkins | jenkins:jenkins | cloudbees:jenkins :org.jenkins-ci.main:jenkins-core | | jenkins:jenkins-reviewbot
webex_business_suite_32 | cisco:webex_business_suite_32 | | cisco:webex_business_suite cisco:webex_business_suite_31 cisco:webex_business_suite_33 | cisco:webex
Junos | juniper:junos | juniper:junos_os juniper_networks:junos_os | | juniper:junos_os_evolved juniper_networks:junos_os_evolved
Apache Struts | apache:struts | | | apache:struts2-showcase
internet_security | f-secure:f-secure_internet_security | f-secure:internet_security | f-secure:f-secure_internet_security_2010 | trendmicro:internet_security kaspersky:internet_security k7computing:internet_security eset:internet_security quickheal:internet_security avg:internet_security bitdefender:internet_security comodo:internet_security avast:internet_security bullguard:internet_security mcafee:internet_security
openssh | openbsd:openssh | openssh:openssh | | gsi-openssh_project:gsi-openssh openssh_key_parser_project:openssh_key_parser
Gogs | gogs:gogs | gogits:gogs :gogs.io/gogs :github.com/gogs/gogs :github.com/gogits/gogs | | jenkins:gogs gitea:gitea
mybb | mybb:mybb | mybboard:mybb mybulletinboard:mybulletinboard | | mybb:mybb_hot_editor_plugin mybb-2fa_project:mybb-2fa
Node.js | nodejs:node.js | nodejs:nodejs joyent:node.js | | jenkins:nodejs
Outlook | microsoft:outlook | microsoft:office_outlook microsoft:outlook_2016 | |
database_server | oracle:database_server | | oracle:database oracle:database_10g oracle:database_11g oracle:database_9i oracle:database_server_lite oracle:oracle_database | aerospike:database_server ingres:database_server
adplug | adplug_project:adplug | audacious_media_player_team:adplug | |
jasper | jasper_project:jasper | jasper_jpeg-2000:jasper_jpeg-2000 | | jaspersoft:jasperreports
enterprise_linux | redhat:enterprise_linux | | redhat:enterprise_linux_desktop redhat:enterprise_linux_server redhat:enterprise_linux_workstation redhat:enterprise_linux_eus redhat:enterprise_linux_aus redhat:enterprise_linux_tus redhat:enterprise_linux_server_aus redhat:enterprise_linux_server_eus redhat:enterprise_linux_server_tus redhat:enterprise_linux_hpc_node | redhat:linux
phpwebsite | phpwebsite:phpwebsite | appstate:phpwebsite phpwebsite_development_team:phpwebsite | |
jira | atlassian:jira | | atlassian:jira_server atlassian:jira_data_center atlassian:jira_core atlassian:jira_software_data_center | jenkins:jira atlassian:jira_service_desk atlassian:jira_service_management atlassian:jira_align
xsuite | xceedium:xsuite | | |
golden_ftp_server | kmint21_software:golden_ftp_server | goldenftpserver:golden_ftp_server kmint21:golden_ftp_server | |
OpenOffice | apache:openoffice | openoffice:openoffice openoffice:openoffice.org apache:openoffice.org sun:openoffice.org | | libreoffice:libreoffice
SonicWall SMA 100 | sonicwall:sma_100_firmware | sonicwall:sma100_firmware | | sonicwall:sma1000_firmware
ESX Server | vmware:esx | vmware:esx_server vmware:vmware_esx | |
Serv-U | solarwinds:serv-u | solarwinds:serv-u_file_server solarwinds:serv-u_ftp_server cat_soft:serv-u deerfield:serv-u_ftp-server deerfield:ftp_serv-u rhinosoft:serv-u solarwinds:serv-u_managed_file_transfer solarwinds:serv-u_mft_server | |
WooCommerce | woocommerce:woocommerce | automattic:woocommerce woothemes:woocommerce | | booster:booster_for_woocommerce
douphp | douco:douphp | douphp:douphp | |
sendmail | sendmail:sendmail | eric_allman:sendmail redhat:sendmail hp:sendmail | | metainfo:sendmail
`);
