using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Hosting;
using Newtonsoft.Json;
using Npgsql;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Orders.Worker
{
    public record OrderPlaced(long OrderId, string Customer, decimal Total);

    public class OrderWorker : BackgroundService
    {
        private static readonly JsonSerializerSettings Settings = new()
        {
            TypeNameHandling = TypeNameHandling.All,
        };

        private readonly IModel _channel;
        private readonly NpgsqlDataSource _db;

        public OrderWorker(IModel channel, NpgsqlDataSource db)
        {
            _channel = channel;
            _db = db;
        }

        protected override Task ExecuteAsync(CancellationToken stoppingToken)
        {
            Consume("orders.legacy", OnLegacy);
            Consume("orders.placed", OnPlaced);
            return Task.Delay(Timeout.Infinite, stoppingToken);
        }

        private void Consume(string queue, Action<string> handler)
        {
            var consumer = new EventingBasicConsumer(_channel);
            consumer.Received += (_, e) => handler(Encoding.UTF8.GetString(e.Body.Span));
            _channel.BasicConsume(queue, autoAck: true, consumer);
        }

        private void OnLegacy(string body)
        {
            var message = JsonConvert.DeserializeObject<object>(body, Settings);
            if (message is OrderPlaced order)
            {
                Archive(order);
                var sql = "INSERT INTO legacy_orders (id, customer) VALUES (" + order.OrderId + ", '" + order.Customer + "')";
                using var cmd = _db.CreateCommand(sql);
                cmd.ExecuteNonQuery();
            }
        }

        private void OnPlaced(string body)
        {
            var order = System.Text.Json.JsonSerializer.Deserialize<OrderPlaced>(body);
            using var cmd = _db.CreateCommand("INSERT INTO orders (id, customer, total) VALUES ($1, $2, $3)");
            cmd.Parameters.AddWithValue(order.OrderId);
            cmd.Parameters.AddWithValue(order.Customer);
            cmd.Parameters.AddWithValue(order.Total);
            cmd.ExecuteNonQuery();
        }

        private static void Archive(OrderPlaced order)
        {
            var hash = Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(order.Customer)));
            var file = Path.Combine("/var/archive", hash, order.OrderId + ".json");
            Directory.CreateDirectory(Path.GetDirectoryName(file));
            File.WriteAllText(file, JsonConvert.SerializeObject(order));
        }
    }
}
