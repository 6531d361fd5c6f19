<?php

namespace App\Controllers;

use CodeIgniter\HTTP\ResponseInterface;
use CodeIgniter\RESTful\ResourceController;

class Springs extends ResourceController
{
    protected $format = 'json';

    private string $samples = WRITEPATH . 'samples/';

    public function index(): ResponseInterface
    {
        $db = db_connect();
        $rows = $db->query(
            'SELECT id, name, temperature FROM springs WHERE region = ? AND temperature >= ?',
            [$this->request->getGet('region'), $this->request->getGet('min') ?? 30]
        );

        return $this->respond($rows->getResultArray());
    }

    public function near(): ResponseInterface
    {
        $db = db_connect();
        $town = $db->escapeString($this->request->getGet('town') ?? '');
        $radius = $db->escapeString($this->request->getGet('radius') ?? '10');
        $sql = "SELECT s.name FROM springs s JOIN towns t ON t.id = s.town_id "
            . "WHERE t.name = '$town' AND s.distance < $radius";

        return $this->respond($db->query($sql)->getResultArray());
    }

    public function plot(): ResponseInterface
    {
        $title = escapeshellarg($this->request->getPost('title') ?? '');
        $spring = (int) $this->request->getPost('spring');
        exec("springplot --id $spring --title \"$title\" --out /var/plots/$spring.png", $lines, $exit);

        return $this->respond(['exit' => $exit, 'log' => $lines]);
    }

    public function compare(): ResponseInterface
    {
        $ids = array_map('intval', (array) $this->request->getPost('springs'));
        $title = escapeshellarg($this->request->getPost('title') ?? '');
        exec('springplot --compare ' . implode(' ', $ids) . " --title=$title", $lines, $exit);

        return $this->respond(['exit' => $exit, 'log' => $lines]);
    }

    public function sample(string $name = ''): ResponseInterface
    {
        $name = basename($name);
        $path = $this->samples . $name . '.csv';

        return $this->response->setContentType('text/csv')->setBody(file_get_contents($path));
    }

    public function discard(): ResponseInterface
    {
        $name = $this->request->getPost('name');
        if (pathinfo($name, PATHINFO_EXTENSION) !== 'csv') {
            return $this->failValidationErrors('only samples may be discarded');
        }
        unlink($this->samples . $name);

        return $this->respondDeleted(['name' => $name]);
    }
}
