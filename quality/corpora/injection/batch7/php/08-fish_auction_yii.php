<?php

namespace app\controllers;

use Yii;
use yii\db\Query;
use yii\filters\VerbFilter;
use yii\web\BadRequestHttpException;
use yii\web\Controller;
use yii\web\NotFoundHttpException;

class AuctionController extends Controller
{
    public function behaviors(): array
    {
        return [
            'verbs' => ['class' => VerbFilter::class, 'actions' => ['close' => ['POST']]],
        ];
    }

    public function actionLots(): array
    {
        $request = Yii::$app->request;
        $query = (new Query())->from('lots')->where(['harbour' => $request->get('harbour')]);
        if ($boat = $request->get('boat')) {
            $query->andWhere("boat_name = '" . $boat . "'");
        }
        return $query->limit(100)->all();
    }

    public function actionPrices(string $market = 'day'): array
    {
        $request = Yii::$app->request;
        $rows = Yii::$app->db->createCommand(
            'SELECT species, AVG(price) AS price FROM prices_' . $market . ' WHERE day = :day GROUP BY species',
            [':day' => $request->get('day', date('Y-m-d'))]
        )->queryAll();
        return $rows;
    }

    public function actionSpecies(): array
    {
        $attribute = Yii::$app->request->get('attribute', 'latin');
        if (!in_array($attribute, ['latin', 'trade', 'local'], true)) {
            throw new BadRequestHttpException('attribute');
        }
        $sql = "SELECT id, {$attribute}_name AS name FROM species ORDER BY {$attribute}_name";
        return Yii::$app->db->createCommand($sql)->queryAll();
    }

    public function actionClose(int $lot): array
    {
        $price = Yii::$app->request->post('price');
        $changed = Yii::$app->db
            ->createCommand("UPDATE lots SET closed = 1, price = :price WHERE id = $lot")
            ->bindValue(':price', $price)
            ->execute();
        return ['changed' => $changed];
    }

    public function actionInvoice(string $file)
    {
        $base = Yii::getAlias('@runtime/invoices');
        $path = $base . DIRECTORY_SEPARATOR . $file;
        if (strpos($path, $base . DIRECTORY_SEPARATOR) !== 0) {
            throw new NotFoundHttpException();
        }
        return Yii::$app->response->sendFile($path);
    }

    public function actionCatalogue(string $week)
    {
        $date = \DateTimeImmutable::createFromFormat('Y-m-d', $week);
        if (!$date) {
            throw new BadRequestHttpException('week');
        }
        $path = Yii::getAlias('@runtime/catalogues') . '/' . $date->format('o-W') . '.pdf';
        return Yii::$app->response->sendFile($path);
    }
}
