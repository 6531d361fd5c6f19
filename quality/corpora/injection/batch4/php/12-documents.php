<?php

abstract class DocumentSource
{
    abstract protected function locate(string $ref): string;

    public function output(string $ref): void
    {
        header('Content-Type: application/pdf');
        readfile($this->locate($ref));
    }
}

final class InvoiceSource extends DocumentSource
{
    protected function locate(string $ref): string
    {
        return '/srv/invoices/' . (int) $ref . '.pdf';
    }
}

final class ManualSource extends DocumentSource
{
    protected function locate(string $ref): string
    {
        $language = $_COOKIE['lang'] ?? 'en';
        return "/srv/manuals/$language/" . basename($ref);
    }
}

final class FormSource extends DocumentSource
{
    private const FORMS = ['w9' => 'irs-w9.pdf', 'nda' => 'nda-2024.pdf'];

    protected function locate(string $ref): string
    {
        return '/srv/forms/' . (self::FORMS[$ref] ?? 'index.pdf');
    }

    public function output(string $ref): void
    {
        header('Content-Disposition: attachment');
        readfile($this->locate($ref));
    }
}

function acceptScan(array $upload): string
{
    $types = ['application/pdf' => 'pdf', 'image/png' => 'png'];
    $mime = mime_content_type($upload['tmp_name']);
    $name = bin2hex(random_bytes(12)) . '.' . ($types[$mime] ?? 'bin');
    move_uploaded_file($upload['tmp_name'], '/srv/scans/' . $name);
    return $name;
}

function acceptFolder(array $uploads): int
{
    foreach ($uploads['full_path'] as $i => $relative) {
        move_uploaded_file($uploads['tmp_name'][$i], '/srv/dropbox/' . $relative);
    }
    return count($uploads['full_path']);
}

function discard(string $name): bool
{
    if (str_contains($name, '..')) {
        return false;
    }
    return unlink('/srv/scans/' . rawurldecode($name));
}

switch ($_REQUEST['action'] ?? 'view') {
    case 'scan':
        echo json_encode(['name' => acceptScan($_FILES['scan'])]);
        break;
    case 'folder':
        echo json_encode(['stored' => acceptFolder($_FILES['files'])]);
        break;
    case 'discard':
        echo json_encode(['ok' => discard($_POST['name'])]);
        break;
    default:
        $sources = ['invoice' => new InvoiceSource(), 'manual' => new ManualSource(), 'form' => new FormSource()];
        ($sources[$_GET['type'] ?? 'form'] ?? $sources['form'])->output($_GET['ref'] ?? '');
}
