<?php
$target = '/srv/www/uploads';

if (!isset($_FILES['doc']) || $_FILES['doc']['error'] !== UPLOAD_ERR_OK) {
    http_response_code(400);
    exit;
}

$doc = $_FILES['doc'];

if (($_POST['mode'] ?? '') === 'keep') {
    $folder = $_POST['folder'];
    move_uploaded_file($doc['tmp_name'], "$target/$folder/document.pdf");
} elseif (($_POST['mode'] ?? '') === 'new') {
    $name = bin2hex(random_bytes(16)) . '.pdf';
    move_uploaded_file($doc['tmp_name'], "$target/$name");
} else {
    $full = $_FILES['doc']['full_path'];
    copy($doc['tmp_name'], $target . '/tree/' . $full);
}

$label = $doc['name'];
exec("qpdf --check $target/" . $label, $out, $rc);
exec('qpdf --check ' . escapeshellarg($doc['tmp_name']), $out, $rc);

$db = new PDO('mysql:host=db;dbname=docs', 'docs', getenv('PW'));
$db->query("INSERT INTO upload(name, ok) VALUES ('$label', " . ($rc === 0 ? 1 : 0) . ')');

echo json_encode(['checked' => $rc === 0]);
