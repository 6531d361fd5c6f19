using System.Collections.Generic;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Data.Sqlite;
using MongoDB.Bson;
using MongoDB.Driver;

namespace Iot.Devices
{
    public abstract class StoreController : ControllerBase
    {
        protected readonly SqliteConnection Log;

        protected StoreController(SqliteConnection log)
        {
            Log = log;
        }

        protected abstract string LogTable { get; }

        protected async Task<long> CountAsync()
        {
            using var cmd = Log.CreateCommand();
            cmd.CommandText = $"SELECT count(*) FROM {LogTable}";
            return (long)await cmd.ExecuteScalarAsync();
        }

        protected async Task<long> CountAsync(string condition)
        {
            using var cmd = Log.CreateCommand();
            cmd.CommandText = $"SELECT count(*) FROM {LogTable} WHERE {condition}";
            return (long)await cmd.ExecuteScalarAsync();
        }

        protected async Task RecordAsync(string device, string text)
        {
            using var cmd = Log.CreateCommand();
            cmd.CommandText = $"INSERT INTO {LogTable} (device, text) VALUES ($device, $text)";
            cmd.Parameters.AddWithValue("$device", device);
            cmd.Parameters.AddWithValue("$text", text);
            await cmd.ExecuteNonQueryAsync();
        }
    }

    [Route("devices")]
    public class DeviceStore : StoreController
    {
        private readonly IMongoCollection<BsonDocument> _devices;

        public DeviceStore(SqliteConnection log, IMongoDatabase db) : base(log)
        {
            _devices = db.GetCollection<BsonDocument>("devices");
        }

        protected override string LogTable => "device_log";

        [HttpGet("total")]
        public Task<long> Total() => CountAsync();

        [HttpGet("{id}/events")]
        public Task<long> Events(string id, [FromQuery] string level) =>
            CountAsync($"device = '{id.Trim()}' AND level = '{level}'");

        [HttpGet("site")]
        public async Task<List<BsonDocument>> Site([FromQuery] string name)
        {
            var filter = BsonDocument.Parse("{ site: \"" + name + "\", retired: false }");
            return await _devices.Find(filter).ToListAsync();
        }

        [HttpGet("model")]
        public async Task<List<BsonDocument>> Model([FromQuery] string model)
        {
            var filter = Builders<BsonDocument>.Filter.Eq("model", model);
            return await _devices.Find(filter).Limit(100).ToListAsync();
        }

        [HttpPost("{id}/rename")]
        public async Task<IActionResult> Rename(string id, [FromForm] string name)
        {
            await _devices.UpdateOneAsync(
                Builders<BsonDocument>.Filter.Eq("_id", id),
                Builders<BsonDocument>.Update.Set("name", name));
            await RecordAsync(id, "renamed to " + name);
            return NoContent();
        }
    }
}
