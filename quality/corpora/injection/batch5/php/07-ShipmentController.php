<?php

namespace app\controllers;

use app\models\Shipment;
use Yii;
use yii\db\Expression;
use yii\db\Query;
use yii\web\BadRequestHttpException;
use yii\web\Controller;

class ShipmentController extends Controller
{
    private $carrier;

    public function beforeAction($action)
    {
        $this->carrier = Yii::$app->request->headers->get('X-Carrier', 'any');
        return parent::beforeAction($action);
    }

    public function actionIndex()
    {
        $query = Shipment::find()->where(['cancelled' => 0]);
        if ($this->carrier !== 'any') {
            $query->andWhere("carrier = '{$this->carrier}'");
        }
        return $this->asJson($query->limit(100)->all());
    }

    public function actionEvents(int $id)
    {
        $rows = Yii::$app->db->createCommand("SELECT * FROM shipment_event WHERE shipment_id = $id ORDER BY id")
            ->queryAll();
        return $this->asJson($rows);
    }

    public function actionStats()
    {
        $mask = Yii::$app->request->get('mask', '%Y-%m');
        $period = new Expression("DATE_FORMAT(created_at, '" . $mask . "')");
        $rows = (new Query())
            ->select(['period' => $period, 'total' => 'COUNT(*)'])
            ->from('shipment')
            ->groupBy($period)
            ->all();
        return $this->asJson($rows);
    }

    public function actionManifest($name)
    {
        if (!preg_match('/\A\d{8}-[A-Z]{2,5}\z/', $name)) {
            throw new BadRequestHttpException('Unknown manifest');
        }
        return Yii::$app->response->sendFile("/srv/manifests/$name.csv");
    }

    public function actionLabel($file)
    {
        $path = Yii::getAlias('@app/runtime/labels') . '/' . $file;
        if (pathinfo($path, PATHINFO_EXTENSION) === '') {
            $path .= '.pdf';
        }
        return Yii::$app->response->sendFile($path, basename($file));
    }
}
