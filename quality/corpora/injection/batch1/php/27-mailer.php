<?php

$to = $_POST['to'] ?? '';
$subject = $_POST['subject'] ?? '';
$note = $_POST['note'] ?? '';

file_put_contents('/var/spool/out/body.txt', $note);

$cmd = 'mutt -s ' . escapeshellarg($subject) . ' -- ' . escapeshellarg($to) . ' < /var/spool/out/body.txt';
exec($cmd, $out, $rc);

if ($rc !== 0) {
    exec("logger -t mailer 'failed for $to'");
}

$quoted = '"' . str_replace('"', '\\"', $subject) . '"';
$fp = popen("lp -t $quoted", 'w');
fwrite($fp, $note);
pclose($fp);

$tag = escapeshellarg($_POST['tag'] ?? 'none');
system("echo tagged $tag >> /var/log/tags.log");

http_response_code($rc === 0 ? 204 : 502);
header('Cache-Control: no-store');
